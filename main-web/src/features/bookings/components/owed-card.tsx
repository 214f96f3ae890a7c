import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { paymentErrorText } from "@/lib/payment-error-text";
import { safeHref } from "@/lib/safe-href";
import { usePayAgain } from "../api/pay-again";
import type { OwedStage } from "../lib/kept-card-texts";
import type { OwnBooking } from "../lib/types";
import type { PaymentWait } from "../lib/use-payment-wait";
import styles from "./sessions.module.css";
import { formatCents } from "@porchlight/shared/format/money";

type OwedCardProps = { booking: OwnBooking; stage: OwedStage; wait: PaymentWait };

/** What a person owes of a session that has ended, and the page on which they pay it if their card was not charged. */
export function OwedCard({ booking, stage, wait }: OwedCardProps) {
  const pay = usePayAgain(booking.id);
  const { payment } = booking;
  const amount = formatCents(payment?.amountCents ?? 0);
  const isWaiting = stage === "charging" || stage === "opening" || wait.isConfirming;
  return (
    <Card as="section" aria-labelledby="owed" className={styles.terms}>
      <h2 id="owed" className={styles.name}>
        {stage === "charging" ? "Your card" : "Not paid yet"}
      </h2>
      <p role="status">{textOf(booking, stage, amount, wait)}</p>
      {pay.isError && <Notice tone="danger">{paymentErrorText(pay.error)}</Notice>}
      <div className={styles.buttons}>
        {stage === "payable" && !wait.isConfirming && payment && (
          <Button asChild size="lg">
            <a href={safeHref(payment.url)}>Pay {amount}</a>
          </Button>
        )}
        {stage === "unpaid" && (
          <Button
            size="lg"
            loading={pay.isPending || (pay.isSuccess && pay.data.payment?.url !== "")}
            onClick={() =>
              pay.mutate(undefined, { onSuccess: ({ payment: page }) => page?.url && window.location.assign(page.url) })
            }
          >
            Pay {amount}
          </Button>
        )}
        {isWaiting && wait.isOver && (
          <Button variant="secondary" loading={wait.booking.isFetching} onClick={wait.askAgain}>
            Check again
          </Button>
        )}
      </div>
    </Card>
  );
}

function textOf(booking: OwnBooking, stage: OwedStage, amount: string, wait: PaymentWait): string {
  if (wait.isConfirming && stage === "payable") {
    return wait.isOver
      ? "Stripe hasn't confirmed your payment yet. If you paid, it shows here soon."
      : "We're waiting for Stripe to confirm your payment. This page updates by itself.";
  }
  const card = booking.payment?.card ? `your ${booking.payment.card}` : "your card";
  switch (stage) {
    case "charging":
      return `We're charging ${amount} to ${card}, by the terms of your booking.`;
    case "opening":
      return wait.isOver
        ? "Stripe doesn't answer at the moment. Please check again in a minute."
        : "Opening Stripe's page…";
    case "payable":
    case "unpaid":
      return `By the terms of your booking, you owe ${amount}. Your bank didn't let us charge your card, and we don't try it again. Please pay with a card on Stripe's page.`;
  }
}
