import type { components } from "@porchlight/shared/api.gen";

export type Booking = components["schemas"]["BookingData"];
export type BookingPage = components["schemas"]["BookingsData"];
/** Which sessions a tab lists: ahead, waiting for the guru, or over. */
export type When = "upcoming" | "waiting" | "past";
