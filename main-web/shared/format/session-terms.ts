/** The terms of sessions as sentences. */

const HOUR = 60;
const DAY = 24 * HOUR;
const MAX_IN_HOURS = 3 * DAY;

/** Format minutes as "24 hours", "7 days" or "90 minutes". */
export function formatNotice(minutes: number): string {
  if (minutes % DAY === 0 && minutes > MAX_IN_HOURS) return `${minutes / DAY} days`;
  const [count, unit] = minutes % HOUR === 0 ? [minutes / HOUR, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Until when a cancellation is free, as "Free cancellation until 24 hours before". */
export function formatFreeCancellation(minutes: number): string {
  return minutes === 0
    ? "Free cancellation until the session starts"
    : `Free cancellation until ${formatNotice(minutes)} before`;
}

export type SessionTerms = {
  freeUntilMinutes: number;
  latePercent: number;
  missedPercent: number;
  movesMax: number;
  moveUntilMinutes: number;
};

/** The terms of cancellations and moves, one sentence each. */
export function formatTerms(terms: SessionTerms): string[] {
  const { latePercent, missedPercent, movesMax, moveUntilMinutes } = terms;
  const isAlwaysFree = terms.freeUntilMinutes === 0 || latePercent === 0;
  const times = movesMax === 1 ? "once" : movesMax === 2 ? "twice" : `${movesMax} times`;
  return [
    `${formatFreeCancellation(terms.freeUntilMinutes)}.`,
    ...(isAlwaysFree ? [] : [`After that, canceling costs ${latePercent}% of the price.`]),
    ...(missedPercent === 0 ? [] : [`Not showing up costs ${missedPercent}% of the price.`]),
    ...(movesMax === 0 ? [] : [`You can move it ${times}, until ${formatNotice(moveUntilMinutes)} before.`]),
  ];
}
