/**
 * The terms of sessions as sentences. Site, session, dialog and console say what canceling costs with these functions,
 * and emails and calendar files with the same rules in `cancellation_text.py`. tests/data/cancellation-texts.json tests both.
 */

const HOUR = 60;
const DAY = 24 * HOUR;
const MAX_IN_HOURS = 3 * DAY;

/** Format minutes as "24 hours", "7 days" or "90 minutes". */
export function formatNotice(minutes: number): string {
  if (minutes % DAY === 0 && minutes > MAX_IN_HOURS) return `${minutes / DAY} days`;
  const [count, unit] = minutes % HOUR === 0 ? [minutes / HOUR, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Format minutes before the start as "24 hours before" or "the start". */
export const formatBefore = (minutes: number) => (minutes === 0 ? "the start" : `${formatNotice(minutes)} before`);

/** `priceCents`: of the session; a free one has nothing to owe. Without it, the terms of any price. */
export type CancellationTerms = { freeUntilMinutes: number; latePercent: number; priceCents?: number };

/** Whether a cancellation costs nothing until the session starts. A package is worth something at any price. */
const isAlwaysFree = ({ freeUntilMinutes, latePercent, priceCents }: CancellationTerms, usesPackage: boolean) =>
  freeUntilMinutes === 0 || latePercent === 0 || (priceCents === 0 && !usesPackage);

const share = (percent: number) => (percent === 100 ? "the full price" : `${percent}% of the price`);

/** The terms of cancellations, one sentence each. `usesPackage`: a session of a package is what they cost. */
export function formatCancellation(terms: CancellationTerms, usesPackage = false): string[] {
  if (isAlwaysFree(terms, usesPackage)) return ["Cancel free anytime."];
  return [
    `Cancel free until ${formatBefore(terms.freeUntilMinutes)}.`,
    usesPackage
      ? "After that, canceling uses the session of your package."
      : `After that, canceling costs ${share(terms.latePercent)}.`,
  ];
}

/**
 * What canceling one session or request costs from now on. `freeUntil` is a formatted time, "" once it has passed;
 * `owed` and `late` are formatted prices, "" for nothing. `package`: what becomes of the session of a package. `how`: a
 * card that is kept is charged.
 */
export type CancellationCost = {
  isRequest: boolean;
  freeUntil: string;
  owed: string;
  late: string;
  package: "" | "returned" | "returned_until" | "used";
  how?: "" | "charged";
};

/** Say what canceling costs now, and later if that differs. */
export function formatCancellationCost(cost: CancellationCost): string {
  const { isRequest, freeUntil, owed, late } = cost;
  if (isRequest) return "Withdraw it free anytime.";
  switch (cost.package) {
    case "used":
      return "If you cancel now, the session of your package is used.";
    case "returned":
      return "Cancel free anytime. The session goes back to your package.";
    case "returned_until":
      return `Cancel free until ${freeUntil}, and the session goes back to your package. After that, it's used.`;
    case "":
      break;
  }
  const costs = cost.how === "charged" ? "your card is charged" : "you owe";
  if (owed !== "") return `If you cancel now, ${costs} ${owed}.`;
  return freeUntil !== "" && late !== ""
    ? `Cancel free until ${freeUntil}. After that, ${costs} ${late}.`
    : "Cancel free anytime.";
}

/** Say in the dialog that cancels what it costs to go on. `sessions`: how many it cancels at once. */
export function formatCancelingNow(cost: CancellationCost, sessions = 1): string {
  const { isRequest, freeUntil, owed, late } = cost;
  if (isRequest) return "Withdrawing is free.";
  if (owed !== "" && cost.how === "charged")
    return `Your card will be charged ${owed}${sessions > 1 ? " in total" : ""}.`;
  if (owed !== "") return `You owe ${owed}${sessions > 1 ? " in total" : ""} if you cancel now.`;
  switch (cost.package) {
    case "used":
      return "The session of your package is used if you cancel now.";
    case "returned":
    case "returned_until":
      return "Canceling is free. The session goes back to your package.";
    case "":
      break;
  }
  return freeUntil !== "" && late !== "" ? `Canceling is free until ${freeUntil}.` : "Canceling is free.";
}

export type SessionTerms = CancellationTerms & {
  missedPercent: number;
  movesMax: number;
  moveUntilMinutes: number;
};

/** The terms of cancellations and moves, one sentence each. `usesPackage`: a session of a package is what they cost. */
export function formatTerms(terms: SessionTerms, usesPackage = false): string[] {
  const { movesMax, moveUntilMinutes } = terms;
  return [
    ...formatCancellation(terms, usesPackage),
    ...formatMissed(terms, usesPackage),
    ...(movesMax === 0 ? [] : [`You can move it ${formatTimes(movesMax)}, until ${formatBefore(moveUntilMinutes)}.`]),
  ];
}

/** What missing a session costs, or no sentence if it costs nothing. */
export function formatMissed(
  { missedPercent, priceCents }: Pick<SessionTerms, "missedPercent" | "priceCents">,
  usesPackage = false,
): string[] {
  if (missedPercent === 0 || (priceCents === 0 && !usesPackage)) return [];
  if (usesPackage) return ["Not showing up uses the session of your package."];
  return [`Not showing up costs ${share(missedPercent)}.`];
}

/** Format a count as "once", "twice" or "3 times". */
export const formatTimes = (count: number) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);
