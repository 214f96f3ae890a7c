import type { GuruDispute, GuruRefund, RefundPreview } from "./types";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { formatCents, parseMoney } from "@porchlight/shared/format/money";

/** Say what is wrong with a typed amount, or "" for nothing. */
export function amountProblem(text: string, keptCents: number): string {
  const cents = parseMoney(text);
  if (cents === null) return "Enter an amount, such as 20 or 12.50.";
  if (cents === 0) return "Enter more than $0.";
  return cents > keptCents ? `You can return up to ${formatCents(keptCents)}.` : "";
}

/** Say from whom a refund comes: "Alex gets $20.00 back. $18.00 comes from you, $2.00 from Porchlight." */
export function sharesText(person: string, { amountCents, shareCents, feeCents }: RefundPreview): string {
  const fee = feeCents > 0 ? `, ${formatCents(feeCents)} from Porchlight` : "";
  return `${person} gets ${formatCents(amountCents)} back. ${formatCents(shareCents)} comes from you${fee}.`;
}

/** Say how far a refund is. */
export function refundText({ amountCents, state, createdAt }: GuruRefund): string {
  const amount = `${formatCents(amountCents)} on ${formatLocalDate(createdAt)}`;
  switch (state) {
    case "requested":
      return `${amount}, on its way`;
    case "done":
      return `${amount}, sent to their card`;
    case "failed":
      return `${amount}, sent back by the bank. We're on it.`;
  }
}

const STATES: Record<GuruDispute["state"], [label: string, tone: "neutral" | "good" | "warning" | "danger"]> = {
  inquiry: ["The bank has a question", "warning"],
  open: ["Needs your answer", "danger"],
  under_review: ["With the bank", "neutral"],
  won: ["Decided for you", "good"],
  lost: ["Decided for the cardholder", "neutral"],
  closed: ["Closed", "neutral"],
};

/** The label of a dispute and its tone. One that was answered, or can't be any more, needs nothing. */
export function disputeBadge({ state, canAnswer, answerState }: GuruDispute): (typeof STATES)["open"] {
  if (state !== "open" || canAnswer) return STATES[state];
  return answerState === "" || answerState === "failed"
    ? ["Time to answer is over", "neutral"]
    : ["Answered", "neutral"];
}
