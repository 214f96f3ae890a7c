import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Client = Schemas["ClientData"];
export type ClientDetails = Schemas["ClientDetails"];
export type ClientBooking = Schemas["ClientBookingData"];
export type ClientNote = Schemas["ClientNoteData"];

/** Which clients a list shows. */
export const SHOWN = ["all", "unseen", "new"] as const;
export type Show = (typeof SHOWN)[number];
