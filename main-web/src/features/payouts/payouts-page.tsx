import { Page } from "../../ui/page";
import { ConnectionView } from "./connection";
import styles from "./payouts.module.css";

/** SPEC 2.15: how the payout connection stands, and the way to Stripe's dashboard. */
export function PayoutsPage() {
  return (
    <Page title="Payouts" description="How you are paid: your connection to Stripe.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Payouts</h1>
          <p className={styles.lead}>How you are paid for what you teach and do.</p>
        </header>
        <ConnectionView />
      </div>
    </Page>
  );
}
