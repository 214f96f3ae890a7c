import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { billingQuery, type Billing } from "../api/get-billing";
import { ChangeDialog } from "../components/change-dialog";
import { ChangeOptions } from "../components/change-options";
import { CurrentPlan } from "../components/current-plan";
import { Invoices } from "../components/invoices";
import styles from "../components/plan.module.css";
import { FROM_STRIPE } from "../api/open-portal";
import type { Target } from "../lib/choices";

/** After a visit at Stripe, and while a change or the first invoice is on its way. */
const POLL_INTERVAL_MS = 2000;
const MAX_POLLS = 30;

/** The user's plan: next charge, card, changes and invoices (MONEY 6). */
export function PlanPage() {
  return (
    <PageHead title="Your plan" description="See and change your plan, your card and your invoices.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Your plan</h1>
          <p className={styles.lead}>Change it, update your card, or find an invoice.</p>
        </header>
        <PlanView />
      </div>
    </PageHead>
  );
}

/** Whether Stripe has more to tell soon: the outcome of a change, or the first invoice of a new plan. */
function isIncomplete(billing: Billing | undefined): boolean {
  if (!billing) return false;
  const { change, subscription, invoices } = billing;
  return change?.state === "requested" || (subscription?.state === "active" && invoices.length === 0);
}

function PlanView() {
  const uid = useCurrentUserId();
  const [search] = useSearchParams();
  const isAwaited = search.has(FROM_STRIPE);
  const billing = useQuery({
    ...billingQuery(uid),
    refetchInterval: ({ state }) =>
      (isAwaited || isIncomplete(state.data)) && state.dataUpdateCount < MAX_POLLS ? POLL_INTERVAL_MS : false,
  });
  const [target, setTarget] = useState<Target | null>(null);
  if (billing.data) {
    const { subscription, change, invoices, moreInvoices, paymentsAvailable } = billing.data;
    const isPlanned = subscription && (subscription.cancelAtEnd || subscription.nextPlan);
    const canChange =
      paymentsAvailable && subscription?.state === "active" && !isPlanned && change?.state !== "requested";
    const canCancel = paymentsAvailable && subscription?.state === "past_due" && !isPlanned;
    return (
      <>
        <CurrentPlan billing={billing.data} onChange={setTarget} />
        {subscription && (canChange || canCancel) && <ChangeOptions subscription={subscription} onChange={setTarget} />}
        <Invoices invoices={invoices} hasMore={moreInvoices} available={paymentsAvailable} />
        {target && subscription && (
          <ChangeDialog uid={uid} currentName={subscription.planName} target={target} onClose={() => setTarget(null)} />
        )}
      </>
    );
  }
  if (billing.isError) {
    return (
      <ErrorState
        title="We couldn't load your plan"
        message={billing.error.message}
        onRetry={() => void billing.refetch()}
        retrying={billing.isFetching}
      />
    );
  }
  return (
    <div aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading your plan...
      </p>
      <Skeleton height="16rem" radius="md" />
    </div>
  );
}
