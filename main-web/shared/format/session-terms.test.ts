import { expect, test } from "vitest";
import texts from "../../../tests/data/cancellation-texts.json";
import {
  type CancellationCost,
  formatCancelingNow,
  formatCancellation,
  formatCancellationCost,
  formatNotice,
  formatTerms,
} from "./session-terms";

test.each([
  [1440, "24 hours"],
  [2880, "48 hours"],
  [10080, "7 days"],
  [60, "1 hour"],
  [90, "90 minutes"],
  [1, "1 minute"],
])("formatNotice(%i) is %s", (minutes, text) => {
  expect(formatNotice(minutes)).toBe(text);
});

test.each(texts.terms)("the terms say what canceling costs: $case", ({ usesPackage, text, ...terms }) => {
  expect(formatCancellation(terms, usesPackage).join(" ")).toBe(text);
});

test.each(texts.costs)("a session says what canceling costs: $case", ({ cost, text, now }) => {
  expect(formatCancellationCost(cost as CancellationCost)).toBe(text);
  expect(formatCancelingNow(cost as CancellationCost)).toBe(now);
});

test("several sessions say what they cost in total", () => {
  const cost = { isRequest: false, freeUntil: "", owed: "$80", late: "$80", package: "" } as const;
  expect(formatCancelingNow(cost, 2)).toBe("You owe $80 in total if you cancel now.");
});

test("formatTerms lists what applies", () => {
  const terms = { freeUntilMinutes: 2880, latePercent: 50, missedPercent: 100, movesMax: 2, moveUntilMinutes: 1440 };
  expect(formatTerms(terms)).toEqual([
    "Cancel free until 48 hours before.",
    "After that, canceling costs 50% of the price.",
    "Not showing up costs the full price.",
    "You can move it twice, until 24 hours before.",
  ]);
  expect(formatTerms({ ...terms, latePercent: 0, missedPercent: 0, movesMax: 0 })).toEqual(["Cancel free anytime."]);
  expect(formatTerms({ ...terms, priceCents: 0, movesMax: 0 })).toEqual(["Cancel free anytime."]);
});
