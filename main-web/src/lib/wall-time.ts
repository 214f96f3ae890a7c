import { wallMs } from "@porchlight/shared/format/zones";

const DAY_MS = 86_400_000;

/**
 * Return the instant of a wall time such as "2026-12-01" and "09:00" in an IANA zone, in ISO 8601.
 * A time that comes twice is the first one (RFC 5545, 3.3.5); null for a time that the clocks skip. Of a day whose
 * midnight they skip, "00:00" is the first instant.
 */
export function instantOf(day: string, time: string, zone: string): string | null {
  const wall = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wall)) return null;
  // By the offsets before and after a change of the clocks on that day.
  const before = wall - (wallMs(wall - DAY_MS, zone) - (wall - DAY_MS));
  const after = wall - (wallMs(wall + DAY_MS, zone) - (wall + DAY_MS));
  const found = [before, after].filter((instant) => wallMs(instant, zone) === wall);
  if (found.length > 0) return new Date(Math.min(...found)).toISOString();
  return time === "00:00" ? new Date(before).toISOString() : null;
}

/** Return the wall time of an instant as `{ day: "2026-12-01", time: "09:00" }`. */
export function wallTimeOf(iso: string, zone: string): { day: string; time: string } {
  const wall = new Date(wallMs(Date.parse(iso), zone)).toISOString();
  return { day: wall.slice(0, 10), time: wall.slice(11, 16) };
}

/** Return the day that is `days` days after "2026-12-01". */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Return the current day in a zone, as "2026-12-01". */
export const today = (zone: string) => wallTimeOf(new Date().toISOString(), zone).day;
