import { CreditCard } from "lucide-react";
import { Link } from "react-router-dom";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { EmptyState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { PLAN_NAMES } from "@/lib/plan-names";
import { paymentErrorText } from "@/lib/payment-error-text";
import type { Billing } from "../api/get-billing";
import { useOpenPortal } from "../api/open-portal";
import type { Target } from "../lib/choices";
import { formatPlanDay } from "../lib/format-plan-day";
import { cancelText, chargeText, failedPaymentText, type Subscription } from "../lib/plan-texts";
import styles from "./plan.module.css";
import { NOT_SET_UP } from "./plan-card";

type CurrentPlanProps = { billing: Billing; onChange: (target: Target) => void };

/** The plan, what is charged next, the card, and a failed payment or planned change. */
export function CurrentPlan({ billing, onChange }: CurrentPlanProps) {
  const portal = useOpenPortal();
  const { subscription } = billing;
  if (!subscription) return <NoSubscription billing={billing} />;
  const unpaid = subscription.state === "past_due" || subscription.state === "unpaid";
  const updateCard = (
    <Button variant="secondary" loading={portal.isPending || portal.isSuccess} onClick={() => portal.mutate()}>
      Update card
    </Button>
  );
  return (
    <>
      {unpaid && (
        <Notice tone="danger">
          <p>{failedPaymentText(subscription)}</p>
        </Notice>
      )}
      {billing.change?.state === "unpaid" && (
        <Notice tone="warning">
          <p>
            {PLAN_NAMES[billing.change.plan]} waits for its payment.{" "}
            {billing.change.paymentUrl && <a href={billing.change.paymentUrl}>Pay now</a>}
          </p>
        </Notice>
      )}
      <Card as="section" padding="lg" className={styles.card} aria-labelledby="plan-heading">
        <div className={styles.head}>
          <h2 id="plan-heading" className={styles.heading}>
            {subscription.planName}
          </h2>
          <State subscription={subscription} />
        </div>
        <Planned subscription={subscription} onChange={onChange} available={billing.paymentsAvailable} />
        <dl className={styles.facts}>
          {subscription.nextCharge && (
            <div>
              <dt>Next charge</dt>
              <dd>{chargeText(subscription.nextCharge)}</dd>
            </div>
          )}
          <div>
            <dt>Payment</dt>
            <dd>{subscription.interval === "month" ? "Monthly" : "Yearly"}</dd>
          </div>
          {subscription.card && (
            <div>
              <dt>Card</dt>
              <dd className={styles.cardLine}>
                <CreditCard size={18} aria-hidden="true" />
                {brandName(subscription.card.brand)} ending in {subscription.card.last4}
              </dd>
            </div>
          )}
        </dl>
        {portal.isError && <Notice tone="danger">{paymentErrorText(portal.error)}</Notice>}
        {!billing.paymentsAvailable && <p className={styles.soft}>{NOT_SET_UP}</p>}
        {billing.paymentsAvailable && subscription.state !== "canceled" && (
          <div className={styles.foot}>{updateCard}</div>
        )}
      </Card>
    </>
  );
}

function NoSubscription({ billing }: { billing: Billing }) {
  const granted = billing.source === "grant" && billing.until;
  return (
    <Card as="section" padding="lg" aria-label="Your plan">
      <EmptyState
        icon={CreditCard}
        title={`You're a ${billing.planName}`}
        action={
          billing.paymentsAvailable && !(billing.source === "grant" && billing.plan === "premium-angel") ? (
            <Button asChild>
              <Link to={paths.pricing}>See plans</Link>
            </Button>
          ) : undefined
        }
      >
        {granted
          ? `You have ${billing.planName} until ${formatPlanDay(granted)} without paying.`
          : "Learning, swapping and lending a hand are free. Choose a plan when you want to earn."}
        {!billing.paymentsAvailable && ` ${NOT_SET_UP}`}
      </EmptyState>
    </Card>
  );
}

type PlannedProps = { subscription: Subscription; available: boolean; onChange: (target: Target) => void };

/** What happens when the paid period ends, and the button that takes it back. */
function Planned({ subscription, available, onChange }: PlannedProps) {
  const { plan, planName, interval, periodEnd, graceUntil } = subscription;
  const keep = available && (
    <Button variant="secondary" size="sm" onClick={() => onChange({ plan: plan, interval })}>
      Keep {planName}
    </Button>
  );
  if (subscription.state === "canceled") {
    return (
      <p>
        {planName} has ended. {graceUntil && `Your extras keep working until ${formatPlanDay(graceUntil)}.`}{" "}
        {available && <Link to={paths.pricing}>Choose a plan</Link>}
      </p>
    );
  }
  if (subscription.cancelAtEnd && graceUntil) {
    return (
      <div className={styles.planned}>
        <p>{cancelText(planName, periodEnd, graceUntil)}</p>
        {keep}
      </div>
    );
  }
  if (!subscription.nextPlan) return null;
  const next = PLAN_NAMES[subscription.nextPlan];
  return (
    <div className={styles.planned}>
      <p>
        You change to {next}
        {subscription.nextInterval === interval
          ? ""
          : subscription.nextInterval === "month"
            ? ", paid monthly,"
            : ", paid yearly,"}{" "}
        on {formatPlanDay(periodEnd)}.
        {graceUntil && ` Your extras keep working until ${formatPlanDay(graceUntil)}, then become read-only.`}
      </p>
      {keep}
    </div>
  );
}

function State({ subscription }: { subscription: Subscription }) {
  switch (subscription.state) {
    case "active":
      return subscription.cancelAtEnd ? <Badge tone="warning">Ends soon</Badge> : <Badge tone="good">Active</Badge>;
    case "past_due":
    case "unpaid":
      return <Badge tone="danger">Payment failed</Badge>;
    case "incomplete":
      return <Badge tone="warning">Waiting for payment</Badge>;
    case "canceled":
      return <Badge>Ended</Badge>;
  }
}

function brandName(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}
