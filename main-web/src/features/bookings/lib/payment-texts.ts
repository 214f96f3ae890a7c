import type { Booking } from "./own-booking";
import { formatCents } from "@porchlight/shared/format/money";
import { formatClock, formatSessionStart } from "@porchlight/shared/format/session-times";

/** How a booking is paid by card. */
export type Payment = NonNullable<Booking["payment"]>;
type WithPayment = Pick<Booking, "status" | "payment">;
type Paid = Pick<Booking, "status" | "payment" | "terms" | "policy" | "guruName" | "zone">;

export const REFUND_DAYS = "It takes 5 to 10 days to show.";
export const BANK_DECIDES = "Your bank is looking at this payment. It decides who gets the money.";

/** The payment by card that arrived, or null. */
export const paidOf = ({ payment }: { payment?: Booking["payment"] }): Payment | null =>
  payment?.state === "paid" ? payment : null;

/** Where a booking stands that is paid before it is booked. */
export type PaymentStage =
  | "opening" // Stripe's page is not open yet
  | "payable"
  | "failed" // Stripe could not be reached
  | "closing" // the page has closed; the time is free in a moment, or booked if the payment arrived
  | "unpaid" // the time is free again
  | "given_up"
  | "refunded" // the payment came too late, or after the person gave up
  | "released"; // the card came too late, or after the person gave up

/** Return the stage, or null for a booking that was made, or has nothing to pay. */
export function paymentStage({
  status,
  payment,
  endedBy,
}: WithPayment & Pick<Booking, "endedBy">): PaymentStage | null {
  if (!payment) return null;
  if (status === "held") {
    if (payment.state === "opening" || payment.state === "failed") return payment.state;
    return payment.url === "" ? "closing" : "payable";
  }
  if (status !== "expired") return null;
  if (payment.state === "paid") return payment.isLate ? "refunded" : null;
  if (payment.state === "released") return "released";
  return endedBy === "person" ? "given_up" : "unpaid";
}

/** The badge of a booking that is not paid or was lost, "" for others. */
export function paymentBadge(
  booking: WithPayment & Pick<Booking, "endedBy">,
): "" | "Waiting for your payment" | "Waiting for your card" | "Not booked" {
  if (booking.status === "held" && booking.payment?.mode === "hold") return "Waiting for your card";
  if (booking.status === "held") return booking.payment ? "Waiting for your payment" : "";
  return paymentStage(booking) === null ? "" : "Not booked";
}

/** When a held time is free again by this browser's clock, in milliseconds; null for one that is not held. */
export function paymentDeadline({ status, payment }: WithPayment, receivedAt: number): number | null {
  return status === "held" && payment ? receivedAt + payment.secondsLeft * 1000 : null;
}

/** Until when a time is held, in the viewer's zone unless `zone` is another. */
export const heldUntil = ({ expiresAt }: Pick<Booking, "expiresAt">, zone = "") =>
  expiresAt === null ? "" : formatClock(expiresAt, zone);

/** What is paid at once, such as "$75.00", or "$300.00 for your series". */
export function amountToPay({ payment, seriesId }: Pick<Booking, "payment" | "seriesId">): string {
  if (!payment) return "";
  return (
    formatCents(payment.totalCents) +
    (seriesId !== null && payment.totalCents > payment.amountCents ? " for your series" : "")
  );
}

/** Say that a session is paid, such as "Paid $75.00 with Visa ending in 4242". */
export function paidText({ amountCents, card, mode, restCents }: PaidWith): string {
  const paid = `${formatCents(amountCents)}${card === "" ? " by card" : ` with ${card}`}`;
  if (mode !== "deposit") return `Paid ${paid}`;
  return `Paid a deposit of ${paid}${restCents > 0 ? `, ${formatCents(restCents)} at the session` : ""}`;
}

type PaidWith = Pick<Payment, "amountCents" | "card" | "mode" | "restCents">;

/** Say that a payment arrived for which the person waited. */
export function arrivedText({ status, payment, guruName }: WithPayment & Pick<Booking, "guruName">): string {
  if (payment?.state === "kept") {
    return status === "requested"
      ? `Your card is kept, and nothing was charged. Now ${guruName} answers your request.`
      : "You're booked! Your card is kept, and nothing was charged.";
  }
  const amount = formatCents(payment?.totalCents ?? 0);
  if (status === "canceled" || status === "missed") return `We got your payment of ${amount}.`;
  return status === "requested"
    ? `We got your payment of ${amount}. Now ${guruName} answers your request.`
    : `You're booked! We got your payment of ${amount}.`;
}

/** Say what went back, or "" for nothing. */
export const refundedText = ({ refundedCents }: Pick<Payment, "refundedCents">) =>
  refundedCents > 0 ? `Refunded ${formatCents(refundedCents)} to your card` : "";

const keptOf = ({ amountCents, refundedCents, bankReturnedCents }: Payment) =>
  amountCents - refundedCents - bankReturnedCents;

/** Say what the person's bank returned by itself, or "" for nothing. */
export const bankReturnedText = ({ bankReturnedCents }: Pick<Payment, "bankReturnedCents">) =>
  bankReturnedCents > 0 ? `Your bank returned ${formatCents(bankReturnedCents)} to you.` : "";

/** What comes back if a session is canceled now, and what stays with the guru. `isBlocked`: the bank decides. */
const returned = (payment: Payment) => ({
  back: payment.refundCents,
  stays: keptOf(payment) - payment.refundCents,
  isBlocked: payment.disputed,
});

/** Say what of a payment comes back and what stays, such as "You get $37.50 back. $37.50 stays with Rosa by …". */
export function returnText(back: number, stays: number, guruName: string, isSeries = false): string {
  const gets = back > 0 ? `You get ${formatCents(back)} back${isSeries ? " in all" : ""}.` : "You get nothing back.";
  return stays > 0 ? `${gets} ${formatCents(stays)} stays with ${guruName} by the terms of your booking.` : gets;
}

/** Say in the dialog that cancels what comes back to the card. */
export function cancelingPaidNow(booking: Paid, payment: Payment): string {
  const { back, stays, isBlocked } = returned(payment);
  if (isBlocked) return BANK_DECIDES;
  const owedCents = booking.status === "confirmed" ? booking.terms.owedCents : 0;
  return `${returnText(back, stays, booking.guruName)} ${notCollected(owedCents, booking, payment)}`.trim();
}

/** Say what is owed beyond a deposit, or "" for nothing. */
function notCollected(owedCents: number, { guruName }: Pick<Paid, "guruName">, payment: Payment): string {
  const rest = owedCents - payment.amountCents;
  return rest > 0 ? `You owe ${formatCents(rest)} more, which you settle with ${guruName}.` : "";
}

/** Say on the page of a paid session what comes back now, and later if that differs. */
export function paidCancellationTerms(booking: Paid, payment: Payment): string {
  const { back, stays, isBlocked } = returned(payment);
  if (isBlocked) return BANK_DECIDES;
  if (booking.status === "requested") return `Withdraw it anytime. You get ${formatCents(back)} back.`;
  const { freeUntil, lateCents } = booking.terms;
  if (freeUntil === null) {
    return stays === 0
      ? `Cancel anytime. You get ${formatCents(back)} back.`
      : `If you cancel now: ${lower(returnText(back, stays, booking.guruName))} ${notCollected(booking.terms.owedCents, booking, payment)}`.trim();
  }
  if (lateCents === 0) return `Cancel anytime. You get ${formatCents(back)} back.`;
  const later = Math.max(back - lateCents, 0);
  return `Cancel until ${formatSessionStart(freeUntil, booking.zone)}, and you get ${formatCents(back)} back. After that, you get ${later > 0 ? formatCents(later) : "nothing"} back.`;
}

const lower = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** Say what a paid session that is missed returns, or "" where the price is returned in full. */
export function paidMissedTerms({ terms, guruName }: Pick<Booking, "terms" | "guruName">, payment: Payment): string {
  if (terms.missedCents === 0) return "";
  const back = Math.max(keptOf(payment) - terms.missedCents, 0);
  const rest = terms.missedCents - payment.amountCents;
  const owes = rest > 0 ? ` and owe ${formatCents(rest)} more, which you settle with ${guruName}` : "";
  return `If you don't come, you get ${back > 0 ? formatCents(back) : "nothing"} back${owes}.`;
}

/** Say that moving does not avoid the cost of a late cancellation of a paid session; "" while canceling is free. */
export function paidLateMoveTerms(booking: Paid, payment: Payment): string {
  if (booking.terms.owedCents === 0) return "";
  const { back, stays } = returned(payment);
  return ` If you cancel after the move: ${lower(returnText(back, stays, booking.guruName))}`;
}

/** Say what became of the payment of a session that has ended. */
export function endedPaymentText(
  { guruName, owedCents }: Pick<Booking, "guruName" | "owedCents">,
  payment: Payment,
): string {
  if (payment.disputed) return BANK_DECIDES;
  const stays = keptOf(payment);
  // A refund that the bank sent back, or the bank decided for the guru.
  if (owedCents < stays && payment.refundedCents === 0) {
    return `${formatCents(stays - owedCents)} hasn't gone back to your card. Your orders show where it is.`;
  }
  const kept = stays > 0 ? `${formatCents(stays)} stays with ${guruName} by the terms of your booking.` : "";
  const refund = refundedText(payment);
  const texts = [refund && `${refund}. ${REFUND_DAYS}`, bankReturnedText(payment), kept];
  return [...texts, notCollected(owedCents, { guruName }, payment)].filter(Boolean).join(" ");
}
