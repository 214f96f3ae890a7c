import type { Adjustment, CardPayment, CardPaymentDetails, Dispute, StripeEvent, StripeWrite } from "./types";

type Tone = "neutral" | "good" | "warning" | "danger";

export const FINDING_KINDS: Record<string, string> = {
  missing_at_stripe: "Missing at Stripe",
  missing_here: "Missing in our books",
  amount_differs: "Amounts differ",
  unknown_line: "Unknown line",
  balance_differs: "Balance differs",
  stuck_outbox: "Write without outcome",
  failed_event: "Event that failed",
  failed_refund: "Refund that failed",
  stuck_transfer: "Transfer that is stuck",
};

export const WRITE_STATES: Record<StripeWrite["state"], [label: string, tone: Tone]> = {
  ready: ["Waiting", "neutral"],
  sent: ["Sent", "neutral"],
  done: ["Done", "good"],
  refused: ["Refused", "danger"],
  unknown: ["Outcome unknown", "warning"],
  absent: ["Never arrived", "danger"],
};

export const EVENT_STATES: Record<StripeEvent["state"], [label: string, tone: Tone]> = {
  new: ["Waiting", "neutral"],
  done: ["Done", "good"],
  ignored: ["Ignored", "neutral"],
  failed: ["Failed", "danger"],
};

export const DISPUTE_STATES: Record<Dispute["state"], [label: string, tone: Tone]> = {
  inquiry: ["Inquiry", "warning"],
  open: ["Needs evidence", "danger"],
  under_review: ["With the bank", "neutral"],
  won: ["Won", "good"],
  lost: ["Lost", "danger"],
  closed: ["Closed", "neutral"],
};

export const ADJUSTMENT_STATES: Record<Adjustment["state"], [label: string, tone: Tone]> = {
  requested: ["Needs approval", "warning"],
  posted: ["Posted", "good"],
  rejected: ["Rejected", "neutral"],
};

export const ADJUSTMENT_KINDS: Record<Adjustment["kind"], string> = {
  write_off: "Write off a guru's debt",
  goodwill_credit: "Goodwill credit for a customer",
  suspense_to_losses: "Move suspense to losses",
  losses_to_suspense: "Move losses to suspense",
};

/** Return a name of the API as words: "payout.failed" as "Payout failed". */
export function humanize(name: string): string {
  const words = name.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const PAYMENT_STATES: Record<CardPayment["state"], [label: string, tone: Tone]> = {
  open: ["Open", "neutral"],
  kept: ["Card kept", "neutral"],
  unpaid: ["Not paid yet", "warning"],
  ended: ["Not paid", "neutral"],
  paid: ["Paid", "good"],
  partly_refunded: ["Partly refunded", "neutral"],
  refunded: ["Refunded", "neutral"],
  disputed: ["Disputed", "warning"],
  stuck: ["Stuck", "danger"],
};

export const PAYMENT_STEPS: Record<CardPaymentDetails["steps"][number]["kind"], string> = {
  began: "Payment began",
  paid: "Paid",
  refund: "Refund",
  delivered: "Earned by the guru",
  transferred: "Transferred to the guru",
  disputed: "Disputed",
};
