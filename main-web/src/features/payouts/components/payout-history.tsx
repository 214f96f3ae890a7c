import { Landmark } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { EmptyState } from "@/components/ui/state";
import { usePayouts } from "../api/get-payouts";
import { failureReason, payoutStatus } from "../lib/payout-status";
import type { Payout } from "../lib/types";
import { LoadError } from "./load-error";
import { Loading } from "./loading";
import styles from "./payouts.module.css";
import { formatCents } from "@porchlight/shared/format/money";
import { formatDate, formatLocalDate } from "@porchlight/shared/format/dates";

/** The payouts so far, or why they cannot be shown. */
export function PayoutHistory() {
  const query = usePayouts();
  if (query.data) {
    return (
      <section className={styles.section} aria-labelledby="history-heading">
        <h2 id="history-heading" className={styles.heading}>
          History
        </h2>
        {query.data.length === 0 ? (
          <EmptyState icon={Landmark} title="No payouts yet. Your first one goes out after your first paid session." />
        ) : (
          <ul className={styles.history} aria-label="Payouts">
            {query.data.map((payout) => (
              <PayoutRow key={payout.id} payout={payout} />
            ))}
          </ul>
        )}
        {query.isFetchNextPageError && <Notice tone="danger">{query.error.message}</Notice>}
        {query.hasNextPage && (
          <div>
            <Button variant="secondary" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </section>
    );
  }
  if (query.isError) {
    return <LoadError title="We couldn't load your payouts" message={query.error.message} query={query} />;
  }
  return <Loading what="your payouts" height="12rem" />;
}

function PayoutRow({ payout }: { payout: Payout }) {
  const { amountCents, feeCents, method, last4, state, arrivalDate, createdAt } = payout;
  const [label, tone] = payoutStatus(payout);
  const reason = failureReason(payout);
  const details = [
    method === "instant" && "Instant",
    feeCents > 0 && `Fee ${formatCents(feeCents)}`,
    last4 && `Account ending in ${last4}`,
    state === "in_transit" && arrivalDate && `Arrives ${formatDate(arrivalDate)}`,
  ].filter(Boolean);
  return (
    <li className={styles.payout}>
      <div className={styles.payoutMain}>
        <span className={styles.payoutAmount}>{formatCents(amountCents)}</span>
        <span className={styles.soft}>{formatLocalDate(createdAt)}</span>
        {reason ? <span className={styles.failed}>{reason}</span> : <Badge tone={tone}>{label}</Badge>}
      </div>
      {details.length > 0 && <p className={styles.details}>{details.join(" · ")}</p>}
    </li>
  );
}
