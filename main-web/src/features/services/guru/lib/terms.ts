import type { BookingTerms } from "./types";
import { formatBefore, formatCancellation, formatMissed, formatTimes } from "@porchlight/shared/format/session-terms";

/** Put cancellation terms in words for the guru: what neighbors read, and how they can move. */
export function termsInWords(terms: BookingTerms): string {
  const missed = formatMissed(terms)[0] ?? "Not showing up costs nothing.";
  const move =
    terms.movesMax === 0
      ? "Neighbors can't move a session."
      : `Neighbors can move a session ${formatTimes(terms.movesMax)}, until ${formatBefore(terms.moveUntilMinutes)}.`;
  return [...formatCancellation(terms), missed, move].join(" ");
}
