import { describe, expect, it } from "vitest";
import { formatNextTime } from "./format-next-time";

const NOW = Date.parse("2026-11-30T23:30:00Z"); // 4:30 PM in Denver

describe("the next free time of a guru", () => {
  it.each([
    ["2026-12-01T00:00:00Z", "America/Denver", "Today, 5:00 PM"],
    ["2026-12-01T16:00:00Z", "America/Denver", "Tomorrow, 9:00 AM"],
    ["2026-12-03T16:00:00Z", "America/Denver", "Thu, Dec 3, 9:00 AM"],
    ["2026-12-01T00:00:00Z", "Europe/Berlin", "Today, 1:00 AM"],
    ["soon", "America/Denver", ""],
  ])("formats %s in %s as %j", (iso, zone, text) => {
    expect(formatNextTime(iso, zone, NOW)).toBe(text);
  });

  it("falls back to the viewer's zone for an unknown one", () => {
    expect(formatNextTime("2026-12-03T16:00:00Z", "Mars/Olympus", NOW)).toMatch(/^Thu, Dec 3, /);
  });
});
