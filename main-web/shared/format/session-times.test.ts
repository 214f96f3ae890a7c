import { describe, expect, it } from "vitest";

import {
  formatClock,
  formatLongDay,
  formatSession,
  formatSessionFor,
  formatSessionDay,
  formatSessionStart,
  formatViewerTime,
  localDay,
  zoneName,
} from "./session-times";

const START = "2026-12-01T16:00:00Z";
const DENVER = "America/Denver";
const NOW = Date.parse("2026-11-23T12:00:00Z");

describe("times of sessions", () => {
  it("formats clock, day and zone in the given zone", () => {
    expect(formatClock(START, DENVER)).toBe("9:00 AM");
    expect(formatSessionDay(START, DENVER, NOW)).toBe("Tue, Dec 1");
    expect(formatSessionDay("2027-01-04T16:00:00Z", DENVER, NOW)).toBe("Mon, Jan 4, 2027");
    expect(formatLongDay(START, DENVER)).toBe("Tuesday, December 1");
    expect(zoneName(START, DENVER)).toBe("MST");
    expect(zoneName("2026-07-01T16:00:00Z", DENVER)).toBe("MDT");
    expect(formatSessionStart(START, DENVER)).toMatch(/^Tue, Dec 1(, 2026)?, 9:00 AM MST$/);
  });

  it("formats a session with its end, and both halves of the day where they differ", () => {
    expect(formatSession(START, "2026-12-01T17:00:00Z", DENVER)).toMatch(/, 9:00 – 10:00 AM MST$/);
    expect(formatSession("2026-12-01T18:30:00Z", "2026-12-01T20:00:00Z", DENVER)).toMatch(/, 11:30 AM – 1:00 PM MST$/);
  });

  it("gives the local day", () => {
    expect(localDay("2026-12-01T03:00:00Z", DENVER)).toBe("2026-11-30");
    expect(localDay("2026-12-01T03:00:00Z", "Asia/Tokyo")).toBe("2026-12-01");
  });

  it("adds the viewer's time only where the clocks differ", () => {
    expect(formatViewerTime(START, DENVER, "America/Phoenix")).toBe("");
    expect(formatViewerTime(START, DENVER, "America/New_York")).toBe("11:00 AM your time");
    expect(formatViewerTime(START, DENVER, "Asia/Tokyo")).toMatch(/^Wed, Dec 2(, 2026)?, 1:00 AM your time$/);
  });

  it("adds another person's time only where the clocks differ", () => {
    const session = { startsAt: START, endsAt: "2026-12-01T17:00:00Z", zone: DENVER };
    expect(formatSessionFor(session, "Europe/Berlin", "for Ada")).toMatch(/10:00 AM MST \(5:00 PM GMT\+1 for Ada\)$/);
    expect(formatSessionFor(session, "Asia/Tokyo", "for Ada")).toMatch(
      /\(Wed, Dec 2(, 2026)?, 1:00 AM GMT\+9 for Ada\)$/,
    );
    for (const same of ["", DENVER, "America/Phoenix"]) {
      expect(formatSessionFor(session, same, "for Ada")).toMatch(/10:00 AM MST$/);
    }
  });

  it("gives nothing for invalid times", () => {
    expect(formatClock("soon", DENVER)).toBe("");
    expect(localDay("soon", DENVER)).toBe("");
    expect(zoneName("soon", DENVER)).toBe("");
  });
});
