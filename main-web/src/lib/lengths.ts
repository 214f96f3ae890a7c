import { pluralize } from "@porchlight/shared/format/numbers";

/** Format minutes as "30 minutes", "12 hours" or "2 days". */
export function formatLength(minutes: number): string {
  if (minutes > 0 && minutes % 1440 === 0) return pluralize(minutes / 1440, "day");
  if (minutes > 0 && minutes % 60 === 0) return pluralize(minutes / 60, "hour");
  return pluralize(minutes, "minute");
}

/** Return choices with the current one among them, in order. */
export const withCurrent = (choices: readonly number[], current: number): readonly number[] =>
  choices.includes(current) ? choices : [...choices, current].sort((a, b) => a - b);
