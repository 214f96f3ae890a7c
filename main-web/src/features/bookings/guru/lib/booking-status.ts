import { placeOf } from "@/lib/session-places";
import type { GuruBooking, GuruBookingDetails } from "./types";
import { formatDate } from "@porchlight/shared/format/dates";

export const STATUS_LABELS: Readonly<Record<GuruBooking["status"], string>> = {
  held: "On hold",
  requested: "Waiting for you",
  confirmed: "Confirmed",
  declined: "Declined",
  expired: "Expired",
  canceled: "Canceled",
  completed: "Completed",
  missed: "Did not come",
};

export const STATUS_TONES: Readonly<Record<GuruBooking["status"], "neutral" | "good" | "warning" | "danger">> = {
  held: "neutral",
  requested: "warning",
  confirmed: "good",
  declined: "neutral",
  expired: "neutral",
  canceled: "neutral",
  completed: "good",
  missed: "danger",
};

/** Say where a session takes place: the kind of place with its address or link. */
export function placeText(booking: Pick<GuruBookingDetails, "place" | "address" | "placeText">): string {
  const known = booking.place === "person" ? booking.address : booking.placeText;
  if (booking.place === "agreed") return known || "Not agreed yet";
  return `${placeOf(booking.place).label}: ${known || "not known yet"}`;
}

/** Return the state of the waiver in words; "" when the session needs none. */
export function waiverText({ waiverLevel, waiverUntil, waiverDue }: GuruBooking): string {
  if (!waiverLevel) return "";
  if (waiverDue || waiverUntil === null) return "Waiver due";
  return `Signed until ${formatDate(waiverUntil)}`;
}

/** Return the risk level of a session that needs a waiver, like "High"; "" when it needs none. */
export function levelText({ waiverLevel }: GuruBooking): string {
  return waiverLevel.charAt(0).toUpperCase() + waiverLevel.slice(1);
}

/** Return who signed a participant's waiver and until when it is valid, or who still signs. */
export function signedText({
  name,
  signer,
  covered,
  signedBy,
  waiverUntil,
}: GuruBookingDetails["people"][number]): string {
  if (covered && waiverUntil !== null) {
    const by = signedBy !== "" && signedBy !== name ? ` by ${signedBy}` : "";
    return `signed${by}, valid until ${formatDate(waiverUntil)}`;
  }
  if (waiverUntil !== null) return `waiver ends on ${formatDate(waiverUntil)}`;
  return { self: "signs themselves", guardian: "a parent or guardian signs", link: "signs with a personal link" }[
    signer
  ];
}
