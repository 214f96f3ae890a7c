import { expect, test } from "vitest";
import ways from "../../../tests/data/ways-to-pay.json";
import { type CardTerms, formatWayToPay, wayToPay } from "./card-terms";

test.each(ways)("a price is paid by its terms: $case", ({ terms, priceCents, mode, nowCents, restCents, text }) => {
  expect(wayToPay(terms as CardTerms, priceCents)).toEqual({ mode, nowCents, restCents });
  expect(formatWayToPay(terms as CardTerms, priceCents)).toBe(text);
});

test.each([
  ["full", "Pay by card when you book."],
  ["deposit", "Pay 30% by card when you book, and the rest at the session."],
  ["hold", "Nothing to pay now. Your card is charged only if you cancel late (50%) or don't come (100%)."],
] as const)("several spots are paid in shares of the price: %s", (payment, text) => {
  const terms: CardTerms = { payment, depositPercent: 30, latePercent: 50, missedPercent: 100 };
  expect(formatWayToPay(terms, 6500, true)).toBe(text);
});
