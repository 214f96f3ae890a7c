import type { GuruBookingDetails } from "./types";
import { formatCents } from "@porchlight/shared/format/money";

type WithPayment = Pick<GuruBookingDetails, "payment">;

/** Say what the person paid by card, such as "$75.00, $37.50 of it refunded", or "" for nothing. */
export function paidText({ payment }: WithPayment): string {
  if (payment === null) return "";
  const refunded = payment.refundedCents > 0 ? `, ${formatCents(payment.refundedCents)} of it refunded` : "";
  return formatCents(payment.amountCents) + refunded;
}

/** Say what the guru gets of it and when, and what Porchlight keeps, or "" for nothing. */
export function shareText({ payment }: WithPayment): string {
  if (payment === null || payment.shareCents === 0) return "";
  const when = payment.deliveredAt === null ? " a day after the session" : "";
  const fee = payment.feeCents > 0 ? ` Porchlight keeps ${formatCents(payment.feeCents)}.` : "";
  return `${formatCents(payment.shareCents)}${when}.${fee}`;
}

/** Say what the person tipped in all, or "" for nothing. */
export function tipText({ tippedCents }: Pick<GuruBookingDetails, "tippedCents">): string {
  return tippedCents > 0 ? `${formatCents(tippedCents)}. All of it is yours.` : "";
}
