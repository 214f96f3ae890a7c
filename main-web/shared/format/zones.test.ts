import { describe, expect, it } from "vitest";
import { formatSession, formatSessionStart, viewerZone } from "./session-times";
import { canonicalZone, offeredZones, wallMs, zoneTypeAt } from "./zones";

const at = (iso: string, zone: string) => zoneTypeAt(Date.parse(iso), zone);

describe("time zones", () => {
  it.each([
    ["America/Vancouver", "2026-12-15T17:00:00Z", -420, "MST"],
    ["America/Edmonton", "2026-12-15T17:00:00Z", -360, "CST"],
    ["America/Winnipeg", "2026-12-15T17:00:00Z", -300, "EST"],
    ["Africa/Casablanca", "2026-12-15T17:00:00Z", 0, "GMT"],
    ["America/Denver", "2026-12-15T17:00:00Z", -420, "MST"],
    ["America/Denver", "2027-07-15T17:00:00Z", -360, "MDT"],
    ["Asia/Calcutta", "2026-12-15T17:00:00Z", 330, "GMT+5:30"],
    ["Australia/Lord_Howe", "2027-01-15T17:00:00Z", 660, "GMT+11"],
    ["UTC", "2026-12-15T17:00:00Z", 0, "UTC"],
  ])("follows the API's rules in %s at %s", (zone, iso, offset, label) => {
    expect(at(iso, zone)).toEqual({ offset, label });
  });

  it("changes in the minute in which the clocks do", () => {
    expect(at("2027-03-14T08:59:59Z", "America/Denver").label).toBe("MST");
    expect(at("2027-03-14T09:00:00Z", "America/Denver").label).toBe("MDT");
    expect(wallMs(Date.parse("2027-10-02T15:30:00Z"), "Australia/Lord_Howe")).toBe(Date.parse("2027-10-03T02:30:00Z"));
  });

  it("has each zone once, by today's name", () => {
    expect(canonicalZone("Europe/Kiev")).toBe("Europe/Kyiv");
    expect(canonicalZone("US/Pacific")).toBe("America/Los_Angeles");
    expect(canonicalZone("Moon/Tycho")).toBe("Moon/Tycho");
    expect(offeredZones()).toContain("Europe/Kyiv");
    for (const old of ["Europe/Kiev", "Asia/Calcutta", "CET", "EST", "Etc/GMT+5"]) {
      expect(offeredZones()).not.toContain(old);
    }
  });

  it("has every zone that browsers report", () => {
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      expect(() => zoneTypeAt(0, zone)).not.toThrow();
      expect(canonicalZone(zone) in Object.fromEntries(offeredZones().map((name) => [name, true]))).toBe(true);
    }
    expect(offeredZones()).toContain(viewerZone());
  });

  it("formats sessions by these rules", () => {
    expect(formatSessionStart("2026-12-05T16:00:00Z", "America/Vancouver")).toMatch(/9:00 AM MST$/);
    expect(formatSession("2026-12-05T16:00:00Z", "2026-12-05T17:00:00Z", "Asia/Kolkata")).toMatch(
      /9:30 – 10:30 PM GMT\+5:30$/,
    );
  });
});
