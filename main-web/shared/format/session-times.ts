/** Times of sessions, always with weekday, date and zone. `zone` is an IANA zone; "" is the viewer's own. */
import { browserZone } from "./dates";
import * as zones from "./zones";

const formatters = new Map<string, Intl.DateTimeFormat>();

const DAY = { weekday: "short", month: "short", day: "numeric" } as const;
const LONG_DAY = { weekday: "long", month: "long", day: "numeric" } as const;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  let found = formatters.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
    formatters.set(key, found);
  }
  return found;
}

/** Intl separates clock and "AM" by a narrow space in some versions; pages and tests use an ordinary one. */
function format(iso: string, zone: string, options: Intl.DateTimeFormatOptions): string {
  const time = Date.parse(iso);
  return Number.isNaN(time)
    ? ""
    : formatter(options)
        .format(wallMs(time, zone))
        .replace(/\u202f/g, " ");
}

/** The viewer's IANA zone, by today's name. */
export const viewerZone = () => zones.canonicalZone(browserZone());

const wallMs = (time: number, zone: string) => zones.wallMs(time, zone || viewerZone());

/** Format as "9:00 AM". */
export const formatClock = (iso: string, zone: string) => format(iso, zone, CLOCK);

/** Format minutes after midnight as "9:00 AM". */
export const formatMinute = (minutes: number) => formatClock(new Date(minutes * 60_000).toISOString(), "UTC");

/** Format as "Tue, Dec 1", with the year unless it is this year. */
export function formatSessionDay(iso: string, zone: string, now = Date.now()): string {
  const year = { year: "numeric" } as const;
  const isThisYear = format(iso, zone, year) === formatter(year).format(wallMs(now, zone));
  return format(iso, zone, isThisYear ? DAY : { ...DAY, ...year });
}

/** Format as "Tuesday, December 1". */
export const formatLongDay = (iso: string, zone: string) => format(iso, zone, LONG_DAY);

/** Format as "2026-12-01", the local day. */
export function localDay(iso: string, zone: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? "" : new Date(wallMs(time, zone)).toISOString().slice(0, 10);
}

/** The zone's label at this time: "MST", or "GMT+5:30" where letters would be unclear. */
export function zoneName(iso: string, zone: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? "" : zones.zoneTypeAt(time, zone || viewerZone()).label;
}

/** Format as "Tue, Dec 1, 9:00 AM MST". */
export function formatSessionStart(iso: string, zone: string): string {
  return `${formatSessionDay(iso, zone)}, ${formatClock(iso, zone)} ${zoneName(iso, zone)}`;
}

/** Format as "Tue, Dec 1, 9:00 – 10:00 AM MST". */
export function formatSession(startsAt: string, endsAt: string, zone: string): string {
  const start = formatClock(startsAt, zone);
  const end = formatClock(endsAt, zone);
  const sameHalf = start.slice(-2) === end.slice(-2) && localDay(startsAt, zone) === localDay(endsAt, zone);
  return `${formatSessionDay(startsAt, zone)}, ${sameHalf ? start.slice(0, -3) : start} – ${end} ${zoneName(startsAt, zone)}`;
}

/** The time in another zone, as "4:00 PM", with the day if it differs; "" where the clocks agree. */
function otherTime(iso: string, zone: string, other: string): string {
  const clock = formatClock(iso, other);
  const sameDay = localDay(iso, zone) === localDay(iso, other);
  if (sameDay && clock === formatClock(iso, zone)) return "";
  return sameDay ? clock : `${formatSessionDay(iso, other)}, ${clock}`;
}

/** Format a session's time, followed by its start in another person's zone where the clocks differ, as "for Ada". */
export function formatSessionFor(
  session: { startsAt: string; endsAt: string; zone: string },
  other: string,
  whose: string,
): string {
  const { startsAt, endsAt, zone } = session;
  const time = other && otherTime(startsAt, zone, other);
  return formatSession(startsAt, endsAt, zone) + (time && ` (${time} ${zoneName(startsAt, other)} ${whose})`);
}

/** The start in the viewer's zone, as "4:00 PM your time", with the day if it differs; "" where the clocks agree. */
export function formatViewerTime(iso: string, zone: string, viewer = viewerZone()): string {
  const time = otherTime(iso, zone, viewer);
  return time && `${time} your time`;
}
