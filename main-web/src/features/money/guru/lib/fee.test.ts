import { expect, it } from "vitest";
import { feeCents } from "./fee";

it.each([
  [7500, 1000, 50, 750],
  [7500, 700, 50, 525],
  [505, 1000, 50, 50], // half a cent, to even
  [515, 1000, 50, 52],
  [516, 1000, 50, 52],
  [514, 1000, 50, 51],
  [200, 1000, 50, 50], // the minimum
  [30, 1000, 50, 30], // at most the price
  [0, 1000, 50, 0],
])("of %i cents at %i basis points and at least %i is %i", (price, feeBps, feeMinimumCents, fee) =>
  expect(feeCents(price, { feeBps, feeMinimumCents })).toBe(fee),
);
