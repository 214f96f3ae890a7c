import { Download, Hourglass } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ListRows, ListRowSkeletons } from "@/components/ui/list-row";
import { Notice } from "@/components/ui/notice";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useExportHours } from "../api/export-hours";
import { useHours } from "../api/get-hours";
import { useHoursStatement } from "../api/get-hours-statement";
import { ExchangesOff } from "../components/exchanges-off";
import { HoursRow } from "../components/hours-row";
import styles from "../components/exchanges.module.css";
import { balanceText, formatHours, swapText } from "../lib/hours";
import type { Hours } from "../lib/types";

/** The signed-in user's hours: the balance, swaps, free help, and what came in and went out. */
export function HoursPage() {
  if (!useFlag("booking")) return <ExchangesOff />;
  return (
    <PageHead title="Hours" description="The hours that you gave and took, your swaps and your free help.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Hours</h1>
          <p className={styles.soft}>
            Teach a neighbor for an hour, and learn for an hour from any other.{" "}
            <Link to={paths.sessions}>See your sessions</Link>
          </p>
        </header>
        <Balances />
        <Statement />
      </div>
    </PageHead>
  );
}

function Balances() {
  const hours = useHours();
  if (hours.isPending) return <LoadingBlock height="10rem" />;
  if (!hours.data) {
    return (
      <ErrorState
        title="We couldn't load your hours"
        message={hours.error.message}
        onRetry={() => void hours.refetch()}
        retrying={hours.isFetching}
      />
    );
  }
  return <BalanceCards hours={hours.data} />;
}

function BalanceCards({ hours: { hours, swaps, free } }: { hours: Hours }) {
  return (
    <>
      <Card as="section" className={styles.balance} aria-labelledby="balance">
        <h2 id="balance" className={styles.name}>
          Balance
        </h2>
        <p className={styles.time}>{balanceText(hours)}</p>
        {hours.reserved > 0 && (
          <p className={styles.soft}>{formatHours(hours.reserved)} of it is reserved for sessions you agreed on.</p>
        )}
        {(free.given > 0 || free.received > 0) && (
          <p className={styles.soft}>
            {[
              free.given > 0 && `You gave ${formatHours(free.given)} for free.`,
              free.received > 0 && `You got ${formatHours(free.received)} for free.`,
            ]
              .filter(Boolean)
              .join(" ")}
          </p>
        )}
      </Card>
      {swaps.length > 0 && (
        <Card as="section" className={styles.balance} aria-labelledby="swaps">
          <h2 id="swaps" className={styles.name}>
            Swaps
          </h2>
          <ul className={styles.list}>
            {swaps.map(({ exchangeId, neighbor, minutes }) => (
              <li key={exchangeId} className={styles.soft}>
                <Link className="tap-link" to={generatePath(paths.exchange, { id: exchangeId })}>
                  {swapText(neighbor, minutes)}
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function Statement() {
  const list = useHoursStatement();
  const exported = useExportHours();
  const lines = list.data?.pages.flatMap((page) => page.lines) ?? [];
  if (list.isPending) {
    return (
      <div>
        <p className="visually-hidden" role="status">
          Loading your statement...
        </p>
        <ListRowSkeletons count={3} />
      </div>
    );
  }
  if (list.isError && !list.data) {
    return (
      <ErrorState
        title="We couldn't load your statement"
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  if (lines.length === 0) {
    return (
      <EmptyState
        icon={Hourglass}
        title="No hours yet"
        action={
          <Button asChild size="sm">
            <Link to={paths.skills}>Browse skills</Link>
          </Button>
        }
      >
        Sessions that you give or take for hours show up here.
      </EmptyState>
    );
  }
  return (
    <section className={styles.statement} aria-labelledby="statement">
      <div className={styles.proposal}>
        <h2 id="statement" className={styles.name}>
          Statement
        </h2>
        <Button size="sm" variant="secondary" loading={exported.isPending} onClick={() => exported.mutate()}>
          {!exported.isPending && <Download size={16} aria-hidden="true" />}
          Export as CSV
        </Button>
      </div>
      {exported.isError && <Notice tone="danger">{exported.error.message}</Notice>}
      <ListRows aria-label="Statement">
        {lines.map((line) => (
          <HoursRow key={line.number} line={line} />
        ))}
      </ListRows>
      {list.hasNextPage && (
        <div>
          <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
          {list.isFetchNextPageError && <p role="alert">We couldn't load more. Try again.</p>}
        </div>
      )}
    </section>
  );
}
