import type { Booking } from "./own-booking";

export const DAY_MS = 86_400_000;

/** How many days a waiver is valid (SPEC 9). */
export const waiverDays = (level: string) => (level === "high" || level === "extreme" ? 30 : 90);

/** Tell whether a waiver that is signed at `now` is still valid when the session starts. */
export function reachesStart({ startsAt, waiverLevel }: Booking, now: number): boolean {
  return Date.parse(startsAt) < now + waiverDays(waiverLevel) * DAY_MS;
}

/** Tell whether a session lacks a waiver that the user can sign now. */
export function canSignNow(booking: Booking): boolean {
  const isOwn = booking.people.some(({ signer, covered }) => signer !== "link" && !covered);
  return booking.waiverDue && (isOwn || booking.people.length === 0) && reachesStart(booking, Date.now());
}
