import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

/** Three users, each of whom teaches the next; the last one teaches the first. */
export type SwapRing = Schemas["RingResponse"];
export type SwapRingMember = Schemas["RingMember"];
export type SwapRingList = Schemas["RingsData"];
export type RingResponse = NonNullable<SwapRingMember["answer"]>;
