import { bookingOf } from "@/features/bookings/pages/session-fixtures";
import { CONFIRMED } from "@/features/exchanges/pages/exchanges-fixtures";

/** A booked session in three days. */
export const SESSION = bookingOf();

/** A session in which a neighbor teaches the reader. */
export const EXCHANGE = {
  ...CONFIRMED,
  id: "e1",
  side: "learner",
  skill: "Chess",
  neighbor: { name: "Lea", handle: "lea", photoUrl: "", canArrange: true },
  startsAt: "2031-12-01T16:00:00Z",
  endsAt: "2031-12-01T17:00:00Z",
} as const;
