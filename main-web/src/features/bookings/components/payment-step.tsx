import type { Hold } from "../lib/types";
import styles from "./book-page.module.css";
import { formatCents } from "@porchlight/shared/format/money";

/** What is paid by card before the session is booked. `cents`: of all sessions that no package covers. */
export function PaymentStep({ hold, cents }: { hold: Hold; cents: number }) {
  return (
    <section aria-labelledby="payment" className={styles.terms}>
      <h2 id="payment">Payment</h2>
      <p>
        <strong>Pay {formatCents(cents)} by card</strong>
      </p>
      <p className={styles.soft}>
        You pay on Stripe&apos;s page. We keep your time for 35 minutes.
        {hold.approval === "request" && ` If ${hold.guruName} can't take it, you get all of it back.`}
      </p>
    </section>
  );
}
