import type { Booking } from "./own-booking";

export const DAY_MS = 86_400_000;

/** How many days a waiver is valid (SPEC 9). */
export const waiverDays = (level: string) => (level === "high" || level === "extreme" ? 30 : 90);

/** Tell whether the user can sign a waiver now that is still valid when a session starts that lacks one. */
export function canSignNow(booking: Booking): boolean {
  const isOwn = booking.people.some(({ signer, covered }) => signer !== "link" && !covered);
  const opens = Date.parse(booking.startsAt) - waiverDays(booking.waiverLevel) * DAY_MS;
  return booking.waiverDue && (isOwn || booking.people.length === 0) && opens < Date.now();
}
