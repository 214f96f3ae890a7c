import type { GuruBookingDetails } from "./types";

const DAY_MS = 86_400_000;
const STATUSES: readonly GuruBookingDetails["status"][] = ["confirmed", "missed", "completed"];

type ContactWindow = { state: "none" | "later" | "open"; opensAt: string };

/**
 * Return whether the guru can see a booking's emergency contact: from 24 hours before the session to 24 hours after it.
 * Only waivers for high and extreme risk have one. The server decides; this says when to ask.
 */
export function contactWindow(booking: GuruBookingDetails, now: number): ContactWindow {
  const { status, waiverLevel, startsAt, endsAt } = booking;
  const opens = Date.parse(startsAt) - DAY_MS;
  const opensAt = new Date(opens).toISOString();
  // Of a group, one waiver is enough: the contacts of those who signed are there while others have not signed.
  const isSigned = [booking, ...booking.people].some(({ waiverUntil }) => waiverUntil !== null);
  const hasContact = (waiverLevel === "high" || waiverLevel === "extreme") && isSigned;
  if (!hasContact || !STATUSES.includes(status) || now > Date.parse(endsAt) + DAY_MS) return { state: "none", opensAt };
  return { state: now < opens ? "later" : "open", opensAt };
}
