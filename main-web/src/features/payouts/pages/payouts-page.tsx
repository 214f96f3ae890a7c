import { Page } from "@/components/layout/page";
import { ConnectionView } from "../components/connection-view";
import styles from "../components/payouts.module.css";

/** The payout connection and the link to Stripe's dashboard (SPEC 2.15). */
export function PayoutsPage() {
  return (
    <Page title="Payouts" description="Manage how you get paid through Stripe.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Payouts</h1>
          <p className={styles.lead}>Manage how you get paid.</p>
        </header>
        <ConnectionView />
      </div>
    </Page>
  );
}
