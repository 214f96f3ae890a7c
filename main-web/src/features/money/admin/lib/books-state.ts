import { formatCents } from "@porchlight/shared/format/money";
import { pluralize } from "@porchlight/shared/format/numbers";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The comparison runs every hour. */
const MAX_AGE_MS = 2 * HOUR_MS;

export type Books = { reconciledAt: string | null; centsOff: number; accountsOff: number };

function formatAgo(ageMs: number): string {
  if (ageMs < MINUTE_MS) return "just now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < 2 * 24 * HOUR_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  return `${Math.floor(ageMs / (24 * HOUR_MS))} days ago`;
}

/** Return whether the books match Stripe, in one line, and whether that is bad or too old. */
export function booksState({ reconciledAt, centsOff, accountsOff }: Books, now = Date.now()) {
  if (reconciledAt === null) return { text: "Not compared with Stripe yet", isOff: false, isLate: false };
  const ageMs = now - Date.parse(reconciledAt);
  const isOff = centsOff !== 0 || accountsOff > 0;
  const result = isOff
    ? `Off by ${formatCents(centsOff)} in ${pluralize(accountsOff, "account")}`
    : "Matches Stripe to the cent";
  return { text: `${result} - ${formatAgo(ageMs)}`, isOff, isLate: ageMs > MAX_AGE_MS };
}
