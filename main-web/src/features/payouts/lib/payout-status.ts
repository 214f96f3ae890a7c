import type { Payout } from "./types";

type Tone = "neutral" | "good" | "warning" | "danger" | "info";

const LABELS: Record<Payout["state"], [label: string, tone: Tone]> = {
  requested: ["Sending", "info"],
  sent: ["Sending", "info"],
  in_transit: ["On its way", "info"],
  paid: ["Paid", "good"],
  failed: ["Failed", "danger"],
  canceled: ["Canceled", "neutral"],
};

/** What to do about a failed payout, by Stripe's failure code. */
const FAILURES: Record<string, string> = {
  account_closed: "the bank account is closed. Update it in Stripe.",
  account_frozen: "the bank account is frozen. Ask your bank, or update it in Stripe.",
  bank_account_restricted: "the bank account can't receive payouts. Update it in Stripe.",
  could_not_process: "your bank couldn't process it. Your money is back in your balance.",
  debit_not_authorized: "your bank doesn't allow it. Ask your bank, or update the account in Stripe.",
  declined: "your bank declined it. Ask your bank, or update the account in Stripe.",
  incorrect_account_holder_name: "the account holder's name doesn't match. Correct it in Stripe.",
  invalid_account_number: "the account number is wrong. Correct it in Stripe.",
  invalid_currency: "the bank account doesn't take US dollars. Update it in Stripe.",
  invalid_card: "the card can't receive payouts. Update it in Stripe.",
  no_account: "the bank account wasn't found. Update it in Stripe.",
};
const OTHER_FAILURE = "your bank returned it. Check your bank account in Stripe.";

/** Return a payout's status as one or two words. */
export const payoutStatus = ({ state }: Payout) => LABELS[state];

/** Return why a payout failed, as "Failed: the bank account is closed. Update it in Stripe."; "" unless it did. */
export function failureReason({ state, failureCode }: Payout): string {
  return state === "failed" ? `Failed: ${FAILURES[failureCode] ?? OTHER_FAILURE}` : "";
}
