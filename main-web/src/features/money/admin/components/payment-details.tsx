import { ExternalLink } from "lucide-react";
import { Details, Facts } from "@/components/ui/details";
import { usePayment } from "../api/get-payments";
import { humanize, PAYMENT_STATES, PAYMENT_STEPS } from "../lib/labels";
import type { CardPayment, CardPaymentDetails } from "../lib/types";
import { RefundForm } from "./refund-form";
import styles from "./payment-details.module.css";
import { formatTimestamp } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

/** Everything about a payment: who has how much of it, what happened, the ledger, and its objects at Stripe. */
export function PaymentDetails({ payment, onClose }: { payment: CardPayment; onClose: () => void }) {
  return (
    <Details title={payment.serviceName || "A session"} query={usePayment(payment.id)} onClose={onClose}>
      {(found) => <Body found={found} />}
    </Details>
  );
}

function Body({ found }: { found: CardPaymentDetails }) {
  const { payment, steps, postings, stripe } = found;
  return (
    <>
      <Facts
        facts={[
          ["State", PAYMENT_STATES[payment.state][0]],
          ["Person", payment.person || "Deleted account"],
          ["Guru", payment.guruLabel || "Deleted guru"],
          ["Card", found.card],
          ["Paid", formatCents(payment.amountCents)],
          ["Went back", formatCents(payment.refundedCents)],
          ["Fee kept", formatCents(found.feeKeptCents)],
          ["Guru's share", formatCents(found.shareCents)],
          ["Transferred", formatCents(found.transferredCents)],
          ["Error", found.errorCode],
          ["Payment", payment.id],
          ["Booking", payment.bookingId],
          ["Paid together", found.groupId],
        ]}
      />
      {found.refundableCents > 0 && <RefundForm key={found.refundableCents} payment={found} />}
      <section aria-labelledby="payment-steps">
        <h3 id="payment-steps" className={styles.title}>
          What happened
        </h3>
        <ol className={styles.list}>
          {steps.map((step, index) => (
            <li key={index}>
              <span className={styles.at}>{formatTimestamp(step.at)}</span>
              <span>
                {PAYMENT_STEPS[step.kind]}
                {step.cents > 0 && ` ${formatCents(step.cents)}`}
                {step.note && ` (${humanize(step.note).toLowerCase()})`}
              </span>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="payment-postings">
        <h3 id="payment-postings" className={styles.title}>
          In the ledger
        </h3>
        {postings.length === 0 && <p>Nothing was posted.</p>}
        <ol className={styles.list}>
          {postings.map(({ id, event, at, legs }) => (
            <li key={id}>
              <span className={styles.at}>{formatTimestamp(at)}</span>
              <span>
                {humanize(event)}
                {legs.map(({ debit, credit, cents }, leg) => (
                  <span key={leg} className={styles.leg}>
                    {`${formatCents(cents)} from ${humanize(debit).toLowerCase()} to ${humanize(credit).toLowerCase()}`}
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="payment-stripe">
        <h3 id="payment-stripe" className={styles.title}>
          At Stripe
        </h3>
        {stripe.length === 0 && <p>Nothing yet.</p>}
        <ul className={styles.ids}>
          {stripe.map(({ id, url }) => (
            <li key={id}>
              {url ? (
                <a href={url} target="_blank" rel="noreferrer">
                  {id}
                  <ExternalLink size={14} aria-hidden="true" />
                  <span className="visually-hidden"> (opens in a new tab)</span>
                </a>
              ) : (
                id
              )}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
