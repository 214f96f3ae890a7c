import { describe, expect, it } from "vitest";
import { formatAgo, formatDay } from "./format-date";

const NOW = Date.parse("2026-10-03T12:00:00Z");

describe("dates", () => {
  it.each([
    ["2026-10-03T11:59:30Z", "just now"],
    ["2026-10-03T12:00:30Z", "just now"],
    ["2026-10-03T11:55:00Z", "5 minutes ago"],
    ["2026-10-03T10:01:00Z", "1 hour ago"],
    ["2026-10-02T11:00:00Z", "yesterday"],
    ["2026-09-27T11:00:00Z", "6 days ago"],
    ["2026-09-20T12:00:00Z", "Sep 20, 2026"],
    ["nonsense", ""],
  ])("%s is %j", (iso, words) => {
    expect(formatAgo(iso, NOW)).toBe(words);
  });

  it("are told by the day alone", () => {
    expect(formatDay("2026-10-03T09:00:00Z")).toBe("Oct 3, 2026");
    expect(formatDay("yesterday")).toBe("");
  });

  it("are told as Intl would tell them, in UTC whatever the reader's zone is", () => {
    const told = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });
    for (let month = 0; month < 12; month++) {
      for (const time of [Date.UTC(2024, month, 1), Date.UTC(2024, month + 1, 0, 23, 59, 59)]) {
        expect(formatDay(new Date(time).toISOString())).toBe(told.format(time));
      }
    }
  });
});
