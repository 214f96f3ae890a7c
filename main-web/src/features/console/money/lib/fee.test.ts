import { expect, it } from "vitest";
import type { GuruFee } from "../../lib/types";
import { feeCents, isMinimum } from "./fee";

const FEE: GuruFee = {
  plan: "skill-sharer",
  planName: "Skill Sharer",
  takesPayments: true,
  basisPoints: 1000,
  minimumCents: 50,
};

it.each([
  [7500, 1000, 750],
  [7500, 700, 525],
  // Half to even, as in tests/porchlight/money/test_fees.py.
  [1005, 1000, 100],
  [1015, 1000, 102],
  [1250, 700, 88],
  [1150, 700, 80],
  [100, 1000, 50],
  [30, 1000, 30],
  [0, 1000, 0],
])("keeps of %i cents at %i basis points %i cents", (price, basisPoints, fee) =>
  expect(feeCents(price, { ...FEE, basisPoints })).toBe(fee),
);

it.each([
  [499, true],
  [500, false],
])("of %i cents the minimum is %s", (price, minimum) => expect(isMinimum(price, FEE)).toBe(minimum));
