import { lazy } from "./lazy";

const DAY_MS = 86_400_000;
const RELATIVE_UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", DAY_MS],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const dateOptions = { month: "short", day: "numeric", year: "numeric" } as const;
const utcDate = lazy(() => new Intl.DateTimeFormat("en-US", { ...dateOptions, timeZone: "UTC" }));
const localDate = lazy(() => new Intl.DateTimeFormat("en-US", dateOptions));
const localDateTime = lazy(
  () => new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }),
);
const localClock = lazy(() => new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" }));
const localTimestamp = lazy(() => new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" }));
const utcTimestamp = lazy(
  () => new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" }),
);
const weekdayDate = lazy(
  () => new Intl.DateTimeFormat("en-US", { weekday: "short", month: "short", day: "numeric", timeZone: "UTC" }),
);
const relativeTime = lazy(() => new Intl.RelativeTimeFormat("en-US", { numeric: "auto" }));

function format(formatter: () => Intl.DateTimeFormat, iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? "" : formatter().format(time);
}

/** Format an ISO time as "Oct 3, 2026" in UTC; "" when it is invalid. */
export const formatDate = (iso: string) => format(utcDate, iso);

/** Format an ISO time as "Oct 3, 2026" in the local time zone; "" when it is invalid. */
export const formatLocalDate = (iso: string) => format(localDate, iso);

/** Format an ISO time as "Oct 3, 9:00 AM" in the local time zone; "" when it is invalid. */
export const formatDateTime = (iso: string) => format(localDateTime, iso);

/** Format an ISO time as "9:00 AM" in the local time zone; "" when it is invalid. */
export const formatLocalClock = (iso: string) => format(localClock, iso).replace(/\u202f/g, " ");

let zone = { offset: NaN, name: "" };

/** The browser's own time zone, by its own name. Asking for it is slow, and lists ask once per row. */
export function browserZone(): string {
  const offset = new Date().getTimezoneOffset();
  if (zone.offset !== offset) zone = { offset, name: new Intl.DateTimeFormat().resolvedOptions().timeZone };
  return zone.name;
}

/** Format an ISO time as "Oct 3, 2026, 9:00 AM" in the local time zone; "" when it is invalid. */
export const formatTimestamp = (iso: string) => format(localTimestamp, iso);

/** Format an ISO time as "Oct 3, 2026, 9:00:00 AM" in UTC; "" when it is invalid. */
export const formatUtcTimestamp = (iso: string) => format(utcTimestamp, iso);

/** Format ISO dates as "Sat, Nov 21" or "Sat, Nov 21 – Fri, Nov 27". */
export function formatDateRange(from: string, until: string): string {
  const start = format(weekdayDate, from);
  return from === until ? start : `${start} – ${format(weekdayDate, until)}`;
}

/** Format an ISO time of the past week as "2 hours ago", older ones as a date; "" when it is invalid. */
export function formatRelativeTime(iso: string, now = Date.now()): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const ageMs = now - time;
  if (ageMs > 7 * DAY_MS) return formatDate(iso);
  const unit = RELATIVE_UNITS.find(([, milliseconds]) => ageMs >= milliseconds);
  if (!unit) return "just now";
  return relativeTime().format(-Math.floor(ageMs / unit[1]), unit[0]);
}

/** Format how long it is until an ISO time, as "in 6 days" or "in 3 hours"; "" when it has passed or is invalid. */
export function formatTimeLeft(iso: string, now = Date.now()): string {
  const leftMs = Date.parse(iso) - now;
  const unit = RELATIVE_UNITS.find(([, milliseconds]) => leftMs >= milliseconds);
  if (unit) return relativeTime().format(Math.floor(leftMs / unit[1]), unit[0]);
  return leftMs > 0 ? "in less than a minute" : "";
}

/** Return the local ISO date of today or a later day. */
export function isoDateFromToday(days: number, now = new Date()): string {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
}
