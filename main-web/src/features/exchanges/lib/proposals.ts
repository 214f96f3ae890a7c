import { addDays, instantOf, today } from "@/lib/wall-time";

/** A time as it is typed; both are "" in a row that is still empty. */
export type TypedTime = { day: string; time: string };

export const MAX_PROPOSALS = 3;
export const MINUTES = [30, 45, 60, 90, 120, 180, 240];
const MIN_NOTICE_MS = 3 * 3_600_000;
const HORIZON_MS = 90 * 86_400_000;

/** The first row of a form: the day after tomorrow at 6 in the evening, which suits most people who work. */
export const firstTime = (zone: string): TypedTime => ({ day: addDays(today(zone), 2), time: "18:00" });

/**
 * Check typed times. Return the instants, or the problem of each row; an index is the row's. Rows that are wholly empty
 * count only if all are.
 */
export function checkTimes(
  rows: readonly TypedTime[],
  zone: string,
  now = Date.now(),
): { starts: string[] } | { problems: Record<number, string> } {
  const problems: Record<number, string> = {};
  const starts: string[] = [];
  rows.forEach(({ day, time }, index) => {
    if (day === "" && time === "" && index > 0) return;
    if (day === "" || time === "") {
      problems[index] = "Enter a day and a time.";
      return;
    }
    const start = instantOf(day, time, zone);
    if (start === null) problems[index] = "Clocks change that day, so this time doesn't exist. Choose another.";
    else if (Date.parse(start) < now + MIN_NOTICE_MS) problems[index] = "Choose a time at least 3 hours from now.";
    else if (Date.parse(start) > now + HORIZON_MS) problems[index] = "Choose a time within the next 90 days.";
    else if (starts.includes(start)) problems[index] = "Choose a different time for each.";
    else starts.push(start);
  });
  return Object.keys(problems).length > 0 ? { problems } : { starts: starts.sort() };
}
