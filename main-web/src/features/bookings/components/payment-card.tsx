import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { serviceTimesUrl } from "@/lib/guru-site";
import { forgetHeldBooking } from "@/lib/held-booking";
import { paymentErrorText } from "@/lib/payment-error-text";
import { safeHref } from "@/lib/safe-href";
import { toast } from "@/lib/toast-store";
import { useGiveUpPayment } from "../api/give-up-payment";
import { usePayAgain } from "../api/pay-again";
import { amountToPay, heldUntil, REFUND_DAYS, type PaymentStage } from "../lib/payment-texts";
import type { OwnBooking } from "../lib/types";
import type { PaymentWait } from "../lib/use-payment-wait";
import { HoldTimer } from "./hold-timer";
import styles from "./sessions.module.css";

type PaymentCardProps = { booking: OwnBooking; stage: PaymentStage; wait: PaymentWait };

/** What is to pay for a held session and how long its time is held, or what became of it. */
export function PaymentCard({ booking, stage, wait }: PaymentCardProps) {
  const [isGivingUp, setIsGivingUp] = useState(false);
  const again = usePayAgain(booking.id);
  const { isConfirming, isOver, hasClosed, deadline } = wait;
  const keepsCard = booking.payment?.mode === "hold";
  const isHeld = booking.status === "held" && !hasClosed && !isConfirming;
  const canPay = isHeld && stage === "payable";
  const canRetry = isHeld && stage === "failed";
  const isWaiting = isConfirming || hasClosed || stage === "opening" || stage === "closing";
  return (
    <Card as="section" aria-labelledby="payment" className={styles.terms}>
      <h2 id="payment" className={styles.name}>
        {booking.status !== "held" && !isConfirming ? "What happened" : keepsCard ? "Your card" : "Your payment"}
      </h2>
      <p role="status">{textOf(booking, stage, wait)}</p>
      {isHeld && deadline !== null && stage !== "closing" && <HoldTimer deadline={deadline} to="pay" />}
      {again.isError && <Notice tone="danger">{paymentErrorText(again.error)}</Notice>}
      <div className={styles.buttons}>
        {canPay && booking.payment && (
          <Button asChild size="lg">
            <a href={safeHref(booking.payment.url)}>{keepsCard ? "Enter your card" : `Pay ${amountToPay(booking)}`}</a>
          </Button>
        )}
        {canRetry && (
          <Button
            size="lg"
            loading={again.isPending || (again.isSuccess && again.data.payment?.url !== "")}
            onClick={() =>
              again.mutate(undefined, {
                onSuccess: ({ payment }) => payment?.url && window.location.assign(payment.url),
              })
            }
          >
            Try again
          </Button>
        )}
        {isWaiting && isOver && (
          <Button variant="secondary" loading={wait.booking.isFetching} onClick={wait.askAgain}>
            Check again
          </Button>
        )}
        {isHeld && stage !== "closing" && (
          <Button variant="secondary" size={canPay || canRetry ? "lg" : "md"} onClick={() => setIsGivingUp(true)}>
            Give up this time
          </Button>
        )}
        {booking.status === "expired" && !isConfirming && (
          <Button asChild variant="secondary">
            <a href={serviceTimesUrl(booking.guruLabel, booking.serviceId)}>Choose another time</a>
          </Button>
        )}
      </div>
      {isGivingUp && <GiveUpDialog booking={booking} onClose={() => setIsGivingUp(false)} />}
    </Card>
  );
}

function textOf(booking: OwnBooking, stage: PaymentStage, { isConfirming, isOver, hasClosed }: PaymentWait): string {
  const keepsCard = booking.payment?.mode === "hold";
  const what = keepsCard ? "card" : "payment";
  if (isConfirming) {
    return isOver
      ? `Stripe hasn't confirmed your ${what} yet. If you ${keepsCard ? "entered it" : "paid"}, you find your session here soon, and we email you.`
      : `We're waiting for Stripe to confirm your ${what}. This page updates by itself.`;
  }
  if (booking.status === "held" && (hasClosed || stage === "closing")) {
    return keepsCard
      ? "The time to enter a card is over. If you have just done so, you find your session here in a moment."
      : "The time to pay is over. If you have just paid, you find your session here in a moment.";
  }
  const until = heldUntil(booking);
  switch (stage) {
    case "opening":
      return isOver ? "Stripe doesn't answer at the moment. Please check again in a minute." : "Opening Stripe's page…";
    case "payable":
      return keepsCard
        ? `Your time is held until ${until}. You enter your card on Stripe's page. Nothing is charged now.`
        : `Your time is held until ${until}. You pay on Stripe's page.`;
    case "failed":
      return `We couldn't reach Stripe. Your time is still yours until ${until}.`;
    case "closing":
    case "unpaid":
      return `You didn't ${keepsCard ? "enter a card" : "pay"} in time, so the time is free again. Nothing was charged.`;
    case "given_up":
      return "You gave this time up. Nothing was charged.";
    case "refunded":
      return booking.endedBy === "person"
        ? `You gave this time up before your payment arrived. You were refunded in full. ${REFUND_DAYS}`
        : `Someone else got this time. You were refunded in full. ${REFUND_DAYS}`;
    case "released":
      return booking.endedBy === "person"
        ? "You gave this time up. Nothing was charged, and we don't keep your card."
        : "Someone else got this time. Nothing was charged, and we don't keep your card.";
  }
}

/** Ask before a held time is given up. */
function GiveUpDialog({ booking, onClose }: { booking: OwnBooking; onClose: () => void }) {
  const giveUp = useGiveUpPayment(booking.id);
  const isSeries = booking.payment !== null && booking.payment.totalCents > booking.payment.amountCents;

  async function confirm() {
    try {
      await giveUp.mutateAsync();
    } catch {
      return; // the notice shows it
    }
    // Also if the card is gone by now, unlike the callbacks of `mutate`.
    forgetHeldBooking();
    toast.success(isSeries ? "You gave these times up." : "You gave this time up.");
    onClose();
  }

  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={isSeries ? "Give up all times of your series?" : "Give up this time?"}
      description="Others can book it then. Nothing is charged."
      action={isSeries ? "Give up these times" : "Give up this time"}
      cancel="Keep it"
      busy={giveUp.isPending}
      onConfirm={() => void confirm()}
    >
      {giveUp.isError && <Notice tone="danger">{giveUp.error.message}</Notice>}
    </Confirm>
  );
}
