import { expect, it } from "vitest";
import { booksState } from "./books-state";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const at = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

it.each([
  [12, 0, 0, "Matches Stripe to the cent - 12 min ago", false, false],
  [0, 1, 1, "Off by $0.01 in 1 account - just now", true, false],
  [119, 123_456, 2, "Off by $1,234.56 in 2 accounts - 1 h ago", true, false],
  [121, 0, 0, "Matches Stripe to the cent - 2 h ago", false, true],
  [4000, 0, 0, "Matches Stripe to the cent - 2 days ago", false, true],
])("%i min ago, off by %i cents", (minutes, centsOff, accountsOff, text, isOff, isLate) =>
  expect(booksState({ reconciledAt: at(minutes), centsOff, accountsOff }, NOW)).toEqual({ text, isOff, isLate }),
);

it("knows no comparison", () =>
  expect(booksState({ reconciledAt: null, centsOff: 0, accountsOff: 0 }).text).toBe("Not compared with Stripe yet"));
