import { expect, it } from "vitest";
import { paidText, shareText } from "./payment-text";

const PAID = {
  mode: "full" as const,
  state: "paid" as const,
  amountCents: 7500,
  refundedCents: 0,
  feeCents: 750,
  shareCents: 6750,
  keptCents: 7500,
  disputed: false,
  disputeId: null,
  refunds: [],
  deliveredAt: null,
};

it.each([
  [null, "", ""],
  [PAID, "$75.00", "$67.50 a day after the session. Porchlight keeps $7.50."],
  [{ ...PAID, deliveredAt: "2026-11-20T18:00:00Z" }, "$75.00", "$67.50. Porchlight keeps $7.50."],
  [
    { ...PAID, refundedCents: 3750, feeCents: 375, shareCents: 3375 },
    "$75.00, $37.50 of it refunded",
    "$33.75 a day after the session. Porchlight keeps $3.75.",
  ],
  [{ ...PAID, refundedCents: 7500, feeCents: 0, shareCents: 0 }, "$75.00, $75.00 of it refunded", ""],
])("says what was paid and what the guru gets: %o", (payment, paid, share) => {
  expect([paidText({ payment }), shareText({ payment })]).toEqual([paid, share]);
});
