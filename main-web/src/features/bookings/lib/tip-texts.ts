import type { OwnBooking, SuggestedTip, Tips } from "./types";
import { formatCents } from "@porchlight/shared/format/money";

/** Tell whether a session is over and took place. */
export function tookPlace({ status, endsAt }: Pick<OwnBooking, "status" | "endsAt">): boolean {
  return (status === "confirmed" || status === "completed") && Date.parse(endsAt) <= Date.now();
}

/** The words of an amount to choose: "15% ($11.25)", or "$10.00" for a round amount. */
export function suggestionText({ percent, amountCents }: SuggestedTip): string {
  return percent === null ? formatCents(amountCents) : `${percent}% (${formatCents(amountCents)})`;
}

/** Why an amount in cents is no tip, or "". Null is what is no amount. */
export function tipProblem(cents: number | null, { minimumCents, maximumCents }: Tips): string {
  if (cents === null) return "Enter an amount in dollars, such as 12 or 12.50";
  const isTip = cents >= minimumCents && cents <= maximumCents;
  return isTip ? "" : `Tip between ${formatCents(minimumCents)} and ${formatCents(maximumCents)}`;
}

/** Tell whether a tip is being paid, so that Stripe may confirm it soon. */
export function isTipOnItsWay(tips: Tips): boolean {
  return tips.tips.some(({ state }) => state === "opening" || state === "open");
}

/** What the person tipped for a session in all, in cents. */
export function tippedCents(tips: Tips): number {
  return tips.tips.reduce((sum, { state, amountCents }) => (state === "paid" ? sum + amountCents : sum), 0);
}
