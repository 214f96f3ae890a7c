import type { Booking } from "./own-booking";
import type { Payment } from "./payment-texts";
import type { Hold } from "./types";
import { formatChargeReasons, type WayToPay } from "@porchlight/shared/format/card-terms";
import { formatCents } from "@porchlight/shared/format/money";

type WithPayment = { payment?: Booking["payment"] };

/** The card that is kept for a booking, before or after it is charged, or null. */
export const heldCardOf = ({ payment }: WithPayment): Payment | null => (payment?.mode === "hold" ? payment : null);

/** Where what a person owes of a session stands that has ended, if it is not paid. */
export type OwedStage =
  | "charging"
  | "unpaid" // the bank did not pay it
  | "opening" // Stripe's page is not open yet
  | "payable";

/** Return the stage, or null for a session that has not ended, or of which nothing is left to pay by card. */
export function owedStage({ status, payment }: Pick<Booking, "status"> & WithPayment): OwedStage | null {
  if (payment?.mode !== "hold" || (status !== "canceled" && status !== "missed")) return null;
  switch (payment.state) {
    case "charging":
    case "unpaid":
    case "opening":
      return payment.state;
    case "open":
      return payment.url === "" ? "unpaid" : "payable";
    case "kept":
    case "paid":
    case "released":
    case "canceled":
    case "expired":
    case "failed":
      return null;
  }
}

/** The badge of a session that has ended and is not paid, "" for others. */
export function owedBadge(booking: Pick<Booking, "status"> & WithPayment): "" | "Not paid yet" {
  const stage = owedStage(booking);
  return stage === null || stage === "charging" ? "" : "Not paid yet";
}

/** How a hold is paid: what is due now, and at the session. */
export function wayOfHold({ paysByCard, dueNowCents, priceCents }: Hold): WayToPay {
  if (!paysByCard) return { mode: "in_person", nowCents: 0, restCents: priceCents };
  const restCents = priceCents - dueNowCents;
  const mode = dueNowCents === 0 ? "hold" : restCents > 0 ? "deposit" : "full";
  return { mode, nowCents: dueNowCents, restCents };
}

/** Say what is paid now for some sessions of a hold. */
export function payNowText(hold: Hold, sessions: number): string {
  const { mode, nowCents, restCents } = wayOfHold(hold);
  if (mode === "hold") return "Nothing to pay now";
  const now = formatCents(nowCents * sessions);
  if (mode !== "deposit") return `Pay ${now} by card`;
  const each = sessions > 1 ? `${formatCents(restCents)} at each session` : `${formatCents(restCents)} at the session`;
  return `Pay ${now} now and ${each}`;
}

/** Say when the card of a hold is charged. */
export const chargeText = ({ policy }: Pick<Hold, "policy">) =>
  `Your card is charged only ${formatChargeReasons(policy)}.`;

/** Say what became of a card, or of a charge, of a session that has ended. "" while it is not paid: a card says so. */
export function endedCardText(
  { owedCents }: Pick<Booking, "owedCents">,
  { state, card, amountCents }: Payment,
): string {
  if (state === "paid") {
    return `${formatCents(amountCents)} was charged to ${card === "" ? "your card" : `your ${card}`} by the terms of your booking.`;
  }
  if (owedCents === 0) return "You owe nothing. Your card isn't charged, and we don't keep it.";
  return state === "released" ? `You owe ${formatCents(owedCents)}, which is too little to charge to a card.` : "";
}

/** Say how a session is paid whose card is kept or was charged. */
export function heldPriceText({ state, card, amountCents, restCents }: Payment, priceCents: number): string {
  if (state === "paid") return `Charged ${formatCents(amountCents)}${card === "" ? "" : ` to ${card}`}`;
  if (state !== "kept") return `${formatCents(priceCents)}, pay at the session`;
  return `${formatCents(restCents)}, pay at the session. Your ${card || "card"} is kept.`;
}
