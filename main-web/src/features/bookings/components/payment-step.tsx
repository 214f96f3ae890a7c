import { chargeText, payNowText } from "../lib/kept-card-texts";
import type { Hold } from "../lib/types";
import styles from "./book-page.module.css";

/** What is paid by card before the session is booked, and when a kept card is charged. `sessions`: without a package. */
export function PaymentStep({ hold, sessions }: { hold: Hold; sessions: number }) {
  const keepsCard = hold.dueNowCents === 0;
  return (
    <section aria-labelledby="payment" className={styles.terms}>
      <h2 id="payment">Payment</h2>
      <p>
        <strong>{payNowText(hold, sessions)}</strong>
      </p>
      {keepsCard && <p>{chargeText(hold)}</p>}
      <p className={styles.soft}>
        {keepsCard ? "You enter your card on Stripe's page." : "You pay on Stripe's page."} We keep your time for 35
        minutes.
        {hold.approval === "request" &&
          ` If ${hold.guruName} can't take it, ${keepsCard ? "your card isn't charged" : "you get all of it back"}.`}
      </p>
    </section>
  );
}
