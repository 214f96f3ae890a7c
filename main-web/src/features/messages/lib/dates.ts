import { formatLocalClock, formatLocalDate } from "@porchlight/shared/format/dates";
import { lazy } from "@porchlight/shared/format/lazy";

const DAY_MS = 86_400_000;
const weekday = lazy(() => new Intl.DateTimeFormat("en-US", { weekday: "short" }));
const shortDate = lazy(() => new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric" }));
const longDay = lazy(() => new Intl.DateTimeFormat("en-US", { weekday: "long", month: "long", day: "numeric" }));

/** Whole days between the local days of two times. */
function daysAgo(time: number, now: number): number {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(time)) / DAY_MS);
}

/** Format the time of a thread's last message: "9:00 AM", "Yesterday", "Tue", "Oct 3" or "Oct 3, 2025". */
export function formatWhen(iso: string, now = Date.now()): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const days = daysAgo(time, now);
  if (days <= 0) return formatLocalClock(iso);
  if (days === 1) return "Yesterday";
  if (days < 7) return weekday().format(time);
  return isThisYear(time, now) ? shortDate().format(time) : formatLocalDate(iso);
}

/** Format the day of a message: "Today", "Yesterday", "Tuesday, November 24" or "Oct 3, 2025". */
export function formatDay(iso: string, now = Date.now()): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const days = daysAgo(time, now);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return isThisYear(time, now) ? longDay().format(time) : formatLocalDate(iso);
}

const isThisYear = (time: number, now: number) => new Date(time).getFullYear() === new Date(now).getFullYear();
