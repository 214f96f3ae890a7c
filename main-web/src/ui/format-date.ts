// Made when first needed: the first screen shows at most a day or two, and a phone takes its time to make a formatter.
let day: Intl.DateTimeFormat | undefined;
/** "Oct 3, 2026" for an ISO time, in UTC; "" when it is not one. */
export function formatDay(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  day ??= new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });
  return day.format(time);
}

let ago: Intl.RelativeTimeFormat | undefined;
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "2 hours ago" for an ISO time of the past week, the day before that; "" when it is no time. */
export function formatAgo(iso: string, now = Date.now()): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const past = now - time;
  if (past > 7 * 86_400_000) return formatDay(iso);
  const step = STEPS.find(([, milliseconds]) => past >= milliseconds);
  if (!step) return "just now";
  ago ??= new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
  return ago.format(-Math.floor(past / step[1]), step[0]);
}
