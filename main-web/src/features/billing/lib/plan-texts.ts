import { PLAN_NAMES } from "@/lib/plan-names";
import type { Billing } from "../api/get-billing";
import type { ChangePreview } from "../api/get-change-preview";
import { formatPlanDay } from "./format-plan-day";
import { formatMoney } from "@porchlight/shared/format/money";

export type Subscription = NonNullable<Billing["subscription"]>;

/** Format a price as "$9 a month". */
export function priceText(cents: number, interval: "month" | "year"): string {
  return `${formatMoney(cents)} a ${interval}`;
}

/** Say what a cancellation means (MONEY 6). */
export function cancelText(planName: string, periodEnd: string, graceUntil: string): string {
  return (
    `You keep ${planName} until ${formatPlanDay(periodEnd)}. Your extras keep working until ` +
    `${formatPlanDay(graceUntil)}, then become read-only. Nothing is deleted.`
  );
}

/** Say what a failed payment means (MONEY 6); after the grace the plan is gone but can be brought back. */
export function failedPaymentText(subscription: Subscription, now = new Date()): string {
  const until = subscription.graceUntil;
  if (until && new Date(until) > now) {
    return `Your last payment didn't go through. Update your card by ${formatPlanDay(until)} to keep your plan.`;
  }
  return `Your last payment didn't go through. Update your card to get ${subscription.planName} back.`;
}

/** Say what a change does and costs, from its preview. */
export function previewTexts(preview: ChangePreview, currentName: string): string[] {
  const name = PLAN_NAMES[preview.plan] ?? preview.plan;
  const then = preview.nextCharge;
  const next = then && `Then ${formatMoney(then.cents)} on ${formatPlanDay(then.at)}, and every ${preview.interval}.`;
  switch (preview.kind) {
    case "cancel":
      return [cancelText(currentName, preview.effectiveAt ?? "", preview.graceUntil ?? "")];
    case "keep":
      return [`You keep ${currentName}.`, ...(then ? [`The next charge is ${chargeText(then)}.`] : [])];
    case "upgrade":
      return [
        `You pay ${formatMoney(preview.dueNowCents ?? 0)} now, and get ${name} at once.`,
        ...(next ? [next] : []),
      ];
    case "downgrade":
      return [
        `You keep ${currentName} until ${formatPlanDay(preview.effectiveAt ?? "")}. ` +
          (then ? `From then on you pay ${priceText(then.cents, preview.interval)}.` : ""),
        ...(preview.graceUntil
          ? [
              `Your extras keep working until ${formatPlanDay(preview.graceUntil)}, then become read-only. ` +
                "Nothing is deleted. You can take this back until then.",
            ]
          : ["You can take this back until then."]),
      ];
  }
}

/** Format a charge as "$9 on Dec 4". */
export function chargeText(charge: { cents: number; at: string }): string {
  return `${formatMoney(charge.cents)} on ${formatPlanDay(charge.at)}`;
}
