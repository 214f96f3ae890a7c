import { expect, test } from "vitest";
import { formatCancellation, formatNotice, formatTerms } from "./session-terms";

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

test.each([
  [1440, 50, ["Free cancellation until 24 hours before.", "After that, canceling costs 50% of the price."]],
  [1440, 0, ["Free cancellation until the session starts."]],
  [0, 50, ["Free cancellation until the session starts."]],
])("a cancellation free until %i minutes before, then for %i percent", (freeUntilMinutes, latePercent, expected) => {
  expect(formatCancellation({ freeUntilMinutes, latePercent })).toEqual(expected);
});

test("formatTerms lists what applies", () => {
  const terms = { freeUntilMinutes: 2880, latePercent: 50, missedPercent: 100, movesMax: 2, moveUntilMinutes: 1440 };
  expect(formatTerms(terms)).toEqual([
    "Free cancellation until 48 hours before.",
    "After that, canceling costs 50% of the price.",
    "Not showing up costs 100% of the price.",
    "You can move it twice, until 24 hours before.",
  ]);
  expect(formatTerms({ ...terms, latePercent: 0, missedPercent: 0, movesMax: 0 })).toEqual([
    "Free cancellation until the session starts.",
  ]);
});
