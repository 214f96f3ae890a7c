/** Days of a calendar as "2026-12-01". A week begins on Sunday. */

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;

/** The names of the days of a week, in order. */
export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const toDate = (day: string) => new Date(`${day}T00:00:00Z`);
const toDay = (date: Date) => date.toISOString().slice(0, 10);

/** The day `count` days later. */
export function addDays(day: string, count: number): string {
  return toDay(new Date(toDate(day).getTime() + count * DAY_MS));
}

/** The same day of a month `count` months later, or that month's last day. */
export function addMonths(day: string, count: number): string {
  const date = toDate(day);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0));
  lastDay.setUTCDate(Math.min(date.getUTCDate(), lastDay.getUTCDate()));
  return toDay(lastDay);
}

/** The month of a day, as "2026-12". */
export const monthOf = (day: string) => day.slice(0, 7);

/** The Sunday of a day's week. */
export function weekStart(day: string): string {
  return addDays(day, -toDate(day).getUTCDay());
}

/** The seven days of a day's week. */
export function weekOf(day: string): string[] {
  return Array.from({ length: DAYS_PER_WEEK }, (_, index) => addDays(weekStart(day), index));
}

/** The whole weeks that contain a day's month. */
export function weeksOfMonth(day: string): string[][] {
  const first = `${monthOf(day)}-01`;
  const last = addDays(addMonths(first, 1), -1);
  const weeks: string[][] = [];
  for (let start = weekStart(first); start <= last; start = addDays(start, DAYS_PER_WEEK)) weeks.push(weekOf(start));
  return weeks;
}

const MOST_PAST_DAYS = 3;

/**
 * Whether a week is one that a narrow screen shows: that of the shown day, and the next one while most of the shown
 * one is past.
 */
export function isInStrip(week: readonly string[], shown: string, today: string): boolean {
  if (week.includes(shown)) return true;
  const before = weekOf(addDays(week[0] ?? "", -1));
  return before.includes(shown) && before.filter((day) => day < today).length > MOST_PAST_DAYS;
}

/** The day itself, or the nearest one within the limits. */
export function clampDay(day: string, first: string, last: string): string {
  return day < first ? first : day > last ? last : day;
}

/** Format as "December 2026", or "December" without the year. */
export function formatMonth(day: string, withYear = true): string {
  return format(day, withYear ? { month: "long", year: "numeric" } : { month: "long" });
}

/** Format as "Tuesday, December 1". */
export const formatFullDay = (day: string) => format(day, { weekday: "long", month: "long", day: "numeric" });

/** Format as "Tue, Dec 1". */
export const formatShortDay = (day: string) => format(day, { weekday: "short", month: "short", day: "numeric" });

function format(day: string, options: Intl.DateTimeFormatOptions): string {
  return toDate(day).toLocaleDateString("en-US", { ...options, timeZone: "UTC" });
}

/** The day to which a key moves in a calendar (the ARIA grid pattern), or null for another key. */
export function dayByKey(key: string, day: string): string | null {
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -7);
    case "ArrowDown":
      return addDays(day, 7);
    case "Home":
      return weekOf(day)[0] ?? day;
    case "End":
      return weekOf(day).at(-1) ?? day;
    case "PageUp":
      return addMonths(day, -1);
    case "PageDown":
      return addMonths(day, 1);
    default:
      return null;
  }
}
