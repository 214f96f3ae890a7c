import { PageHead } from "@/components/layout/page-head";
import { Notice } from "@/components/ui/notice";
import { usePaymentsAvailable } from "@/lib/get-config";
import { useConnection } from "../api/get-connection";
import { BalanceView } from "../components/balance-view";
import { ConnectionView } from "../components/connection-view";
import { DashboardLink } from "../components/dashboard-link";
import { PayoutHistory } from "../components/payout-history";
import styles from "../components/payouts.module.css";
import { ScheduleView } from "../components/schedule-card";
import { isComplete } from "../lib/types";

/** The payout connection, balance, instant payout, schedule and history (SPEC 2.15). Its blocks load on their own. */
export function PayoutsPage() {
  const isAvailable = usePaymentsAvailable();
  return (
    <PageHead title="Payouts" description="Manage how you get paid through Stripe.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Payouts</h1>
          <p className={styles.lead}>Manage how you get paid.</p>
        </header>
        {isAvailable ? <Blocks /> : <Notice>Payments are not set up on this site yet.</Notice>}
      </div>
    </PageHead>
  );
}

function Blocks() {
  const connection = useConnection();
  return (
    <>
      <ConnectionView hasDashboardLink={false} />
      <BalanceView />
      {connection.data && isComplete(connection.data) && <ScheduleView />}
      <PayoutHistory />
      {connection.data?.details_submitted && <DashboardLink />}
    </>
  );
}
