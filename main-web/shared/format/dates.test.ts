import { describe, expect, it } from "vitest";
import { formatDate, formatDateRange, formatRelativeTime, formatTimeLeft, isoDateFromToday } from "./dates";

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
  ])("%s is %j", (iso, text) => {
    expect(formatRelativeTime(iso, NOW)).toBe(text);
  });

  it.each([
    ["2026-10-03T12:00:30Z", "in less than a minute"],
    ["2026-10-03T12:05:00Z", "in 5 minutes"],
    ["2026-10-03T15:59:00Z", "in 3 hours"],
    ["2026-10-04T13:00:00Z", "tomorrow"],
    ["2026-10-13T11:00:00Z", "in 9 days"],
    ["2026-10-03T11:59:30Z", ""],
    ["nonsense", ""],
  ])("until %s it is %j", (iso, text) => {
    expect(formatTimeLeft(iso, NOW)).toBe(text);
  });

  it("show only the day", () => {
    expect(formatDate("2026-10-03T09:00:00Z")).toBe("Oct 3, 2026");
    expect(formatDate("yesterday")).toBe("");
  });

  it("match Intl in UTC in any time zone", () => {
    const formatter = new Intl.DateTimeFormat("en-US", {
      month: "short",
      day: "numeric",
      year: "numeric",
      timeZone: "UTC",
    });
    for (let month = 0; month < 12; month++) {
      for (const time of [Date.UTC(2024, month, 1), Date.UTC(2024, month + 1, 0, 23, 59, 59)]) {
        expect(formatDate(new Date(time).toISOString())).toBe(formatter.format(time));
      }
    }
  });

  it("form ranges", () => {
    expect(formatDateRange("2026-11-21", "2026-11-21")).toBe("Sat, Nov 21");
    expect(formatDateRange("2026-11-21", "2026-11-27")).toBe("Sat, Nov 21 – Fri, Nov 27");
  });

  it("are local ISO dates, also across the end of a year", () => {
    expect(isoDateFromToday(0, new Date(2026, 11, 31, 23, 59))).toBe("2026-12-31");
    expect(isoDateFromToday(1, new Date(2026, 11, 31, 0, 0))).toBe("2027-01-01");
  });
});
