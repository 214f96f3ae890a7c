import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type BookedSessionRow = Schemas["BookedSessionRow"];
export type BookedSessionDetail = Schemas["BookedSessionDetail"];
export type BookedSessionEvent = Schemas["BookedSessionEvent"];
export type WaiverChainsState = Schemas["WaiverChainsState"];
export type WaiverChainState = Schemas["WaiverChainState"];
