import { Link } from "react-router-dom";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { useOverview } from "../api/get-overview";
import { useSummary } from "../api/get-summary";
import type { MoneyOverview } from "../lib/types";
import styles from "./overview.module.css";
import { formatCents } from "@porchlight/shared/format/money";
import { formatNumber, pluralize } from "@porchlight/shared/format/numbers";

type CardProps = { label: string; value: string; note: string; to: string };

/** Where all money is, with a link from each sum to its list. */
export function OverviewTab() {
  const overview = useOverview();
  const summary = useSummary();
  if (overview.data) {
    return (
      <ul className={styles.cards} aria-label="Overview">
        {cardsOf(overview.data, summary.data?.openFindings ?? 0).map((card) => (
          <li key={card.label} className={styles.card}>
            <Link to={`${paths.adminMoney}${card.to}`}>{card.label}</Link>
            <strong className={styles.value}>{card.value}</strong>
            <span className={styles.note}>{card.note}</span>
          </li>
        ))}
      </ul>
    );
  }
  if (overview.isError) {
    return (
      <ErrorState
        title="We couldn't load the overview"
        message={overview.error.message}
        onRetry={() => void overview.refetch()}
        retrying={overview.isFetching}
      />
    );
  }
  return (
    <div className={styles.cards} aria-busy="true">
      {Array.from({ length: 6 }, (_, card) => (
        <Skeleton key={card} height="6rem" radius="md" />
      ))}
    </div>
  );
}

function cardsOf(found: MoneyOverview, findings: number): CardProps[] {
  const payments = (state: string) => `?tab=payments&state=${state}`;
  const { waitingRefunds, waitingTransfers, stuckTransfers, disputed } = found;
  const customers = found.packageCents + found.giftCardCents + found.creditCents;
  return [
    card("Held for sessions", found.heldCents, "Paid, and yet to take place", payments("paid")),
    card("Owed to gurus", found.owedCents, "Earned, and not transferred yet", payments("paid")),
    card("Gurus' debt", found.debtCents, "After refunds of what they had earned", "?tab=adjustments"),
    card("Disputed", disputed.cents, pluralize(disputed.count, "payment"), payments("disputed")),
    card("Refunded", found.refundedCents, "In the last 30 days", payments("refunded")),
    card("Porchlight's fees", found.feeCents, "In the last 30 days, less what was returned", payments("paid")),
    card(
      "Customers' balances",
      customers,
      `Packages ${formatCents(found.packageCents)}, gift cards ${formatCents(found.giftCardCents)}, credit ${formatCents(found.creditCents)}`,
      payments("paid"),
    ),
    card("Waiting refunds", waitingRefunds.cents, pluralize(waitingRefunds.count, "refund"), payments("refunded")),
    card("Waiting transfers", waitingTransfers.cents, pluralize(waitingTransfers.count, "transfer"), "?tab=outbox"),
    card("Stuck transfers", stuckTransfers.cents, pluralize(stuckTransfers.count, "transfer"), payments("stuck")),
    { label: "Findings", value: formatNumber(findings), note: "Differences from Stripe", to: "?tab=findings" },
  ];
}

const card = (label: string, cents: number, note: string, to: string) => ({
  label,
  value: formatCents(cents),
  note,
  to,
});
