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

type CancellationTerms = { freeUntilMinutes: number; latePercent: number };

/** Whether a cancellation costs nothing until the session starts. */
const isAlwaysFree = ({ freeUntilMinutes, latePercent }: CancellationTerms) =>
  freeUntilMinutes === 0 || latePercent === 0;

/** The terms of cancellations, one sentence each. `usesPackage`: a session of a package is what they cost. */
export function formatCancellation(terms: CancellationTerms, usesPackage = false): string[] {
  if (isAlwaysFree(terms)) return ["Free cancellation until the session starts."];
  return [
    `Free cancellation until ${formatNotice(terms.freeUntilMinutes)} before.`,
    usesPackage
      ? "After that, canceling uses the session of your package."
      : `After that, canceling costs ${terms.latePercent}% of the price.`,
  ];
}

export type SessionTerms = {
  freeUntilMinutes: number;
  latePercent: number;
  missedPercent: number;
  movesMax: number;
  moveUntilMinutes: number;
};

/** The terms of cancellations and moves, one sentence each. `usesPackage`: a session of a package is what they cost. */
export function formatTerms(terms: SessionTerms, usesPackage = false): string[] {
  const { missedPercent, movesMax, moveUntilMinutes } = terms;
  const times = movesMax === 1 ? "once" : movesMax === 2 ? "twice" : `${movesMax} times`;
  return [
    ...formatCancellation(terms, usesPackage),
    ...(missedPercent === 0 ? [] : [missedTerm(missedPercent, usesPackage)]),
    ...(movesMax === 0 ? [] : [`You can move it ${times}, until ${formatNotice(moveUntilMinutes)} before.`]),
  ];
}

const missedTerm = (percent: number, usesPackage: boolean) =>
  usesPackage ? "Not showing up uses the session of your package." : `Not showing up costs ${percent}% of the price.`;
