import { formatCents } from "./money";

/**
 * How a service is paid, in words for before it is booked. The rules are those of the server (`payments/amounts.py`);
 * tests/data/ways-to-pay.json tests both.
 */

/** The least that a card takes, and the least that a kept card is charged, in cents. */
export const MIN_CARD_CENTS = 500;
const MIN_CHARGE_CENTS = 50;

export type CardTerms = {
  payment: "in_person" | "full" | "deposit" | "hold";
  depositPercent: number;
  latePercent: number;
  missedPercent: number;
};

/** What is paid by card when a session is booked, and at the session, in cents. */
export type WayToPay = { mode: CardTerms["payment"]; nowCents: number; restCents: number };

/** A percentage of a price in cents, rounded half to even. */
export function depositCents(priceCents: number, percent: number): number {
  const cents = Math.floor((priceCents * percent) / 100);
  const rest = (priceCents * percent) % 100;
  return cents + Number(rest > 50 || (rest === 50 && cents % 2 === 1));
}

/** A percentage of a price in cents that is owed, rounded up to a whole cent. */
export const shareCents = (priceCents: number, percent: number) => Math.ceil((priceCents * percent) / 100);

/** How a price is paid. What is too little for a card is paid in person, and too small a deposit is the whole price. */
export function wayToPay(terms: CardTerms, priceCents: number): WayToPay {
  const { payment, depositPercent, latePercent, missedPercent } = terms;
  const inPerson: WayToPay = { mode: "in_person", nowCents: 0, restCents: priceCents };
  const full: WayToPay = { mode: "full", nowCents: priceCents, restCents: 0 };
  if (payment === "in_person" || priceCents < MIN_CARD_CENTS) return inPerson;
  if (payment === "full") return full;
  if (payment === "deposit") {
    const nowCents = depositCents(priceCents, depositPercent);
    const isPart = nowCents >= MIN_CARD_CENTS && nowCents < priceCents;
    return isPart ? { mode: "deposit", nowCents, restCents: priceCents - nowCents } : full;
  }
  const most = shareCents(priceCents, Math.max(latePercent, missedPercent));
  return most >= MIN_CHARGE_CENTS ? { mode: "hold", nowCents: 0, restCents: priceCents } : inPerson;
}

/** When a kept card is charged, such as "if you cancel late (50%) or don't come (100%)". */
export function formatChargeReasons({
  latePercent,
  missedPercent,
}: Pick<CardTerms, "latePercent" | "missedPercent">): string {
  const reasons = [
    ...(latePercent > 0 ? [`cancel late (${latePercent}%)`] : []),
    ...(missedPercent > 0 ? [`don't come (${missedPercent}%)`] : []),
  ];
  return `if you ${reasons.join(" or ")}`;
}

/**
 * Say how a service is paid, before it is booked. `isPerSpot`: people can book several spots, so that only shares of the
 * price are known. "" for a free one.
 */
export function formatWayToPay(terms: CardTerms, priceCents: number, isPerSpot = false): string {
  if (priceCents <= 0) return "";
  const { mode, nowCents, restCents } = wayToPay(terms, priceCents);
  switch (mode) {
    case "in_person":
      return "Pay at the session.";
    case "full":
      return isPerSpot ? "Pay by card when you book." : `Pay ${formatCents(nowCents)} by card when you book.`;
    case "deposit":
      return isPerSpot
        ? `Pay ${terms.depositPercent}% by card when you book, and the rest at the session.`
        : `Pay ${formatCents(nowCents)} by card when you book and ${formatCents(restCents)} at the session.`;
    case "hold":
      return `Nothing to pay now. Your card is charged only ${formatChargeReasons(terms)}.`;
  }
}
