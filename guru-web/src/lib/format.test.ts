import { expect, test } from "vitest";

import { formatDate } from "./format-date";
import { formatInteger, formatPrice, formatViews } from "./format-number";

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1K+"],
  [1999, "1K+"],
  [12_345, "12K+"],
  [1_234_567, "1,234K+"],
  [-5, "0"],
])("formatViews(%i)", (views, expected) => {
  expect(formatViews(views)).toBe(expected);
});

test("integers are grouped by thousands", () => {
  expect(formatInteger(1_234_567)).toBe("1,234,567");
});

test("prices show cents only when needed", () => {
  expect([75, 1200, 19.5].map(formatPrice)).toEqual(["$75", "$1,200", "$19.50"]);
});

test("dates are formatted in UTC", () => {
  expect(formatDate("2026-10-03T23:59:59Z")).toBe("Oct 3, 2026");
});

test("invalid dates give an empty string", () => {
  expect(formatDate("2026-13-03T00:00:00Z")).toBe("");
  expect(formatDate("soon")).toBe("");
});
