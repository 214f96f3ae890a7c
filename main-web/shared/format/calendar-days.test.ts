import { expect, test } from "vitest";

import { addDays, addMonths, clampDay, dayByKey, formatMonth, isInStrip, weekOf, weeksOfMonth } from "./calendar-days";

test("addDays crosses months and years", () => {
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(addDays("2028-03-01", -1)).toBe("2028-02-29");
});

test("addMonths stops at the end of a shorter month", () => {
  expect(addMonths("2027-01-31", 1)).toBe("2027-02-28");
  expect(addMonths("2026-12-15", 1)).toBe("2027-01-15");
  expect(addMonths("2027-03-31", -1)).toBe("2027-02-28");
});

test("a week begins on Sunday", () => {
  expect(weekOf("2026-12-01")[0]).toBe("2026-11-29");
  expect(weekOf("2026-11-29")).toEqual(weekOf("2026-12-05"));
});

test.each([
  ["2026-12-15", 5, "2026-11-29", "2027-01-02"],
  ["2026-11-01", 5, "2026-11-01", "2026-12-05"],
  ["2027-02-10", 5, "2027-01-31", "2027-03-06"],
  ["2026-08-31", 6, "2026-07-26", "2026-09-05"],
])("the weeks of the month of %s contain every day of it", (day, count, first, last) => {
  const weeks = weeksOfMonth(day);
  expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.at(-1)]).toEqual([count, first, last]);
  expect(new Set(weeks.flat()).size).toBe(count * 7);
});

test("clampDay keeps days within the limits", () => {
  expect(clampDay("2026-01-01", "2026-02-01", "2026-03-01")).toBe("2026-02-01");
  expect(clampDay("2026-04-01", "2026-02-01", "2026-03-01")).toBe("2026-03-01");
  expect(clampDay("2026-02-10", "2026-02-01", "2026-03-01")).toBe("2026-02-10");
});

test("formatMonth names month and year", () => {
  expect(formatMonth("2026-12-01")).toBe("December 2026");
  expect(formatMonth("2026-12-01", false)).toBe("December");
});

test.each([
  ["2026-11-28", "2026-11-28", true],
  ["2026-11-28", "2026-11-26", true],
  ["2026-11-24", "2026-11-24", false],
  ["2026-12-02", "2026-11-28", false],
])("with %s shown on %s, the strip has the next week: %s", (shown, today, expected) => {
  expect(isInStrip(weekOf(shown), shown, today)).toBe(true);
  expect(isInStrip(weekOf(addDays(shown, 7)), shown, today)).toBe(expected);
  expect(isInStrip(weekOf(addDays(shown, -7)), shown, today)).toBe(false);
});

test.each([
  ["ArrowLeft", "2026-12-15"],
  ["ArrowDown", "2026-12-23"],
  ["Home", "2026-12-13"],
  ["End", "2026-12-19"],
  ["PageDown", "2027-01-16"],
  ["a", null],
])("the key %s moves from December 16 to %s", (key, expected) => {
  expect(dayByKey(key, "2026-12-16")).toBe(expected);
});
