import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Hold = Schemas["HoldData"];
export type Series = Schemas["SeriesData"];
export type Booking = Schemas["BookingData"];
/** A booking that was read by itself, with its guru's card. */
export type OwnBooking = Schemas["OwnBookingData"];
/** The tips for a session, and whether there can be another one. */
export type Tips = Schemas["TipsData"];
export type SuggestedTip = Schemas["SuggestedTipData"];
/** What holds and bookings have in common. */
export type BookedSession = Pick<
  Hold,
  | "guruLabel"
  | "guruName"
  | "serviceId"
  | "serviceName"
  | "startsAt"
  | "endsAt"
  | "zone"
  | "party"
  | "priceCents"
  | "currency"
  | "approval"
  | "place"
>;
/** What a page about one session shows. */
export type SessionFacts = Omit<BookedSession, "approval">;
export type FreeTimes = Schemas["SlotsResponse"];
export type WaitlistSession = Schemas["WaitlistSessionData"];
export type WaitlistEntry = Schemas["WaitlistEntryData"];
