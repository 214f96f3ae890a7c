/** Times of sessions, always with weekday, date and zone. `zone` is an IANA zone; "" is the viewer's own. */

const formatters = new Map<string, Intl.DateTimeFormat>();

const DAY = { weekday: "short", month: "short", day: "numeric" } as const;
const LONG_DAY = { weekday: "long", month: "long", day: "numeric" } as const;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

function formatter(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([zone, options]);
  let found = formatters.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat("en-US", zone === "" ? options : { ...options, timeZone: zone });
    formatters.set(key, found);
  }
  return found;
}

/** Intl separates clock and "AM" by a narrow space in some versions; pages and tests use an ordinary one. */
function format(iso: string, zone: string, options: Intl.DateTimeFormatOptions): string {
  const time = Date.parse(iso);
  return Number.isNaN(time)
    ? ""
    : formatter(zone, options)
        .format(time)
        .replace(/\u202f/g, " ");
}

/** The viewer's IANA zone. */
export const viewerZone = () => formatter("", {}).resolvedOptions().timeZone;

/** Format as "9:00 AM". */
export const formatClock = (iso: string, zone: string) => format(iso, zone, CLOCK);

/** Format minutes after midnight as "9:00 AM". */
export const formatMinute = (minutes: number) => formatClock(new Date(minutes * 60_000).toISOString(), "UTC");

/** Format as "Tue, Dec 1", with the year unless it is this year. */
export function formatSessionDay(iso: string, zone: string, now = Date.now()): string {
  const year = { year: "numeric" } as const;
  const isThisYear = format(iso, zone, year) === formatter(zone, year).format(now);
  return format(iso, zone, isThisYear ? DAY : { ...DAY, ...year });
}

/** Format as "Tuesday, December 1". */
export const formatLongDay = (iso: string, zone: string) => format(iso, zone, LONG_DAY);

/** Format as "2026-12-01", the local day. */
export function localDay(iso: string, zone: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const parts = formatter(zone, { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(time);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/** The zone's short name at this time: "MST", or "GMT+5:30" where there is none. */
export function zoneName(iso: string, zone: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const parts = formatter(zone, { ...CLOCK, timeZoneName: "short" }).formatToParts(time);
  return parts.find((part) => part.type === "timeZoneName")?.value ?? "";
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

/** The start in the viewer's zone, as "4:00 PM your time", with the day if it differs; "" where the clocks agree. */
export function formatViewerTime(iso: string, zone: string, viewer = viewerZone()): string {
  const clock = formatClock(iso, viewer);
  const sameDay = localDay(iso, zone) === localDay(iso, viewer);
  if (sameDay && clock === formatClock(iso, zone)) return "";
  return `${sameDay ? "" : `${formatSessionDay(iso, viewer)}, `}${clock} your time`;
}
