import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { useFlag } from "@/lib/feature-flags";
import { useBalance } from "../api/get-balance";
import { usdCents, type Balance } from "../lib/types";
import { InstantPayout } from "./instant-payout";
import { LoadError } from "./load-error";
import { Loading } from "./loading";
import styles from "./payouts.module.css";
import { formatCents } from "@porchlight/shared/format/money";

/** The balance and the instant payout, or why they cannot be shown (SPEC 8.7). */
export function BalanceView() {
  const query = useBalance();
  const hasInstantPayouts = useFlag("instantPayouts");
  if (query.data) {
    const instantCents = usdCents(query.data.balance.instant_available);
    return (
      <>
        <BalanceCard balance={query.data} />
        {hasInstantPayouts && instantCents > 0 && <InstantPayout offer={query.data.instant} />}
      </>
    );
  }
  if (query.isError) {
    return (
      <LoadError title="We couldn't load your balance" message="Could not load your Stripe balance..." query={query} />
    );
  }
  return <Loading what="your balance" height="11rem" />;
}

function BalanceCard({ balance }: { balance: Balance }) {
  const { connected, held, debt, availableCents, belowZeroCents } = balance;
  return (
    <Card as="section" padding="lg" className={styles.card} aria-labelledby="balance-heading">
      <h2 id="balance-heading" className={styles.heading}>
        Balance
      </h2>
      <dl className={styles.amounts}>
        <AmountOf label="Available" cents={availableCents} />
        <AmountOf label="On the way to your balance" cents={usdCents(balance.balance.pending)} />
        <AmountOf label="Held until your sessions take place" cents={held} />
      </dl>
      {belowZeroCents > 0 ? (
        <Notice tone="warning">
          {debt > 0 ? "A refund left your balance" : "Your balance is"} {formatCents(belowZeroCents)} below zero. Your
          next earnings cover it first.
        </Notice>
      ) : (
        debt > 0 && (
          <Notice tone="warning">
            A refund of {formatCents(debt)} is taken off here. Your next earnings cover it first.
          </Notice>
        )
      )}
      {!connected && <p className={styles.soft}>Your earnings show up here once your payout method is connected.</p>}
    </Card>
  );
}

function AmountOf({ label, cents }: { label: string; cents: number }) {
  return (
    <div className={styles.amount}>
      <dt>{label}</dt>
      <dd>{formatCents(cents)}</dd>
    </div>
  );
}
