import { describe, expect, it } from "vitest";
import { centsOf, dayRange, distance, dollars, isoDay, weekdays } from "./formats";

describe("amounts", () => {
  it.each([
    [4500, "$45"],
    [1950, "$19.50"],
    [120000, "$1,200"],
    [0, "$0"],
  ])("%d cents are %s", (cents, words) => expect(dollars(cents)).toBe(words));

  it.each([
    ["45", 4500],
    ["$45.5", 4550],
    [" 1,200 ", 120000],
    ["19.99", 1999],
    ["", null],
    ["45.123", null],
    ["-3", null],
    ["1,2", null],
    ["ten", null],
  ])("%j is %s cents", (text, cents) => expect(centsOf(text)).toBe(cents));
});

describe("days", () => {
  it("are told as people do", () => {
    expect(dayRange("2026-11-21", "2026-11-21")).toBe("Sat, Nov 21");
    expect(dayRange("2026-11-21", "2026-11-27")).toBe("Sat, Nov 21 – Fri, Nov 27");
    expect(weekdays([1, 2, 3, 4, 5, 6, 7])).toBe("Every day");
    expect(weekdays([1, 2, 3, 4, 5])).toBe("Weekdays");
    expect(weekdays([6, 7])).toBe("Weekends");
    expect(weekdays([1, 3])).toBe("Mon, Wed");
  });

  it("are the reader's own, over the end of a year too", () => {
    expect(isoDay(0, new Date(2026, 11, 31, 23, 59))).toBe("2026-12-31");
    expect(isoDay(1, new Date(2026, 11, 31, 0, 0))).toBe("2027-01-01");
  });
});

it("distances are coarse", () => {
  expect([1, 2, 3].map(distance)).toEqual(["within 2 miles", "within 2 miles", "about 3 miles"]);
});
