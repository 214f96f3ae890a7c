import { formatLength } from "@/lib/lengths";
import type { BookingTerms } from "./types";

const before = (minutes: number) => (minutes === 0 ? "the start" : `${formatLength(minutes)} before`);
const cost = (percent: number) => (percent === 0 ? "nothing" : percent === 100 ? "the full price" : `${percent}%`);
const times = (count: number) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);

/** Put cancellation terms in words, for the guru. */
export function termsInWords(terms: BookingTerms): string {
  const cancel =
    terms.latePercent === 0
      ? "Canceling is free until the session starts."
      : `Canceling is free until ${before(terms.freeUntilMinutes)} and costs ${cost(terms.latePercent)} after that.`;
  const missed = `Missing a session costs ${cost(terms.missedPercent)}.`;
  const move =
    terms.movesMax === 0
      ? "Neighbors can't move a session."
      : `Neighbors can move a session ${times(terms.movesMax)}, until ${before(terms.moveUntilMinutes)}.`;
  return `${cancel} ${missed} ${move}`;
}
