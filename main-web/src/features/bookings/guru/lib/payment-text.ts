import type { GuruBookingDetails } from "./types";
import { formatCents } from "@porchlight/shared/format/money";

type WithPayment = Pick<GuruBookingDetails, "payment">;

/** Say what the person paid by card, such as "$75.00, $37.50 of it refunded", or "" for nothing. */
export function paidText({ payment }: WithPayment): string {
  if (payment === null) return "";
  if (payment.mode === "hold" && payment.state !== "paid") return cardText(payment);
  const refunded = payment.refundedCents > 0 ? `, ${formatCents(payment.refundedCents)} of it refunded` : "";
  return formatCents(payment.amountCents) + (payment.mode === "deposit" ? " deposit" : "") + refunded;
}

/** Say what becomes of a card that is kept. */
function cardText({ state, amountCents }: NonNullable<WithPayment["payment"]>): string {
  switch (state) {
    case "kept":
      return "Nothing yet. Their card is kept, and charged if they cancel late or don't come.";
    case "charging":
      return `${formatCents(amountCents)} is being charged`;
    case "unpaid":
      return `Not paid yet: ${formatCents(amountCents)}. We asked them to pay it.`;
    case "paid":
    case "released":
      return "Nothing. Their card isn't kept anymore.";
  }
}

/** Say what the person pays at the session, besides a deposit; "" if everything is paid by card. */
export function atSessionText({ payment, priceCents, status }: WithPayment & AtSession): string {
  const isAhead = status === "requested" || status === "confirmed" || status === "completed";
  if (payment === null || !isAhead) return "";
  const rest = priceCents - (payment.mode === "hold" ? 0 : payment.amountCents);
  return rest > 0 ? formatCents(rest) : "";
}

type AtSession = Pick<GuruBookingDetails, "priceCents" | "status">;

/** Say what the guru gets of it and when, and what Porchlight keeps, or "" for nothing. */
export function shareText({ payment }: WithPayment): string {
  if (payment === null || payment.shareCents === 0 || payment.state === "unpaid") return "";
  const when = payment.deliveredAt === null ? " a day after the session" : "";
  const fee = payment.feeCents > 0 ? ` Porchlight keeps ${formatCents(payment.feeCents)}.` : "";
  return `${formatCents(payment.shareCents)}${when}.${fee}`;
}

/** Say what the person tipped in all, or "" for nothing. */
export function tipText({ tippedCents }: Pick<GuruBookingDetails, "tippedCents">): string {
  return tippedCents > 0 ? `${formatCents(tippedCents)}. All of it is yours.` : "";
}
