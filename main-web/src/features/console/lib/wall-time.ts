const DAY_MS = 86_400_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string): Intl.DateTimeFormat {
  let found = formatters.get(zone);
  if (!found) {
    found = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
    formatters.set(zone, found);
  }
  return found;
}

/** Return the wall time of an instant as if it were UTC, in milliseconds. */
function wallMs(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    formatter(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day, parts.hour, parts.minute);
}

/**
 * Return the instant of a wall time such as "2026-12-01" and "09:00" in an IANA zone, in ISO 8601.
 * A time that comes twice is the first one (RFC 5545, 3.3.5); null for a time that the clocks skip.
 */
export function instantOf(day: string, time: string, zone: string): string | null {
  const wall = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wall)) return null;
  // The offsets before and after a change of the clocks on that day.
  const candidates = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - (wallMs(near, zone) - near));
  const found = candidates.filter((instant) => wallMs(instant, zone) === wall);
  return found.length === 0 ? null : new Date(Math.min(...found)).toISOString();
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
