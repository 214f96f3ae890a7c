import { describe, expect, it } from "vitest";
import { addDays, instantOf, wallTimeOf } from "@/lib/wall-time";

describe("wall times", () => {
  it.each([
    ["2026-12-01", "09:00", "America/Denver", "2026-12-01T16:00:00.000Z"],
    ["2026-07-01", "00:00", "America/Denver", "2026-07-01T06:00:00.000Z"],
    ["2026-07-01", "09:30", "Asia/Kolkata", "2026-07-01T04:00:00.000Z"],
    ["2026-07-01", "23:59", "Pacific/Kiritimati", "2026-07-01T09:59:00.000Z"],
    // The clocks are set forward at 2 AM and back at 2 AM.
    ["2026-03-08", "01:59", "America/Denver", "2026-03-08T08:59:00.000Z"],
    ["2026-03-08", "02:30", "America/Denver", null],
    ["2026-03-08", "03:00", "America/Denver", "2026-03-08T09:00:00.000Z"],
    ["2026-11-01", "01:30", "America/Denver", "2026-11-01T07:30:00.000Z"],
    ["2026-11-01", "02:00", "America/Denver", "2026-11-01T09:00:00.000Z"],
    // A change by half an hour.
    ["2026-04-05", "01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
    ["", "09:00", "America/Denver", null],
    ["2026-12-01", "", "America/Denver", null],
  ])("%s %s in %s is %s", (day, time, zone, instant) => {
    expect(instantOf(day, time, zone)).toBe(instant);
    if (instant) expect(wallTimeOf(instant, zone)).toEqual({ day, time });
  });

  it("starts a day whose midnight is skipped where the clocks go on", () => {
    const instant = instantOf("2027-03-28", "00:00", "Asia/Beirut");
    expect(instant).toBe("2027-03-27T22:00:00.000Z");
    expect(wallTimeOf(instant ?? "", "Asia/Beirut")).toEqual({ day: "2027-03-28", time: "01:00" });
  });

  it("adds days across months and leap days", () => {
    expect(addDays("2028-02-28", 2)).toBe("2028-03-01");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  });
});
