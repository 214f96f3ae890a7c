import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useExchanges } from "../api/get-exchanges";
import type { When } from "../lib/types";
import { ExchangeCard } from "./exchange-card";
import styles from "./exchanges.module.css";

/** The sessions with neighbors of one tab. Shows nothing where there are none: the tab has its own empty state. */
export function ExchangeList({ when, label }: { when: When; label: string }) {
  const list = useExchanges(when);
  const exchanges = list.data?.pages.flatMap((page) => page.exchanges) ?? [];
  if (list.isPending) return <Skeleton height="9rem" radius="md" />;
  if (list.isError && !list.data) {
    return (
      <ErrorState
        title="We couldn't load your sessions with neighbors"
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  if (exchanges.length === 0) return null;
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {exchanges.map((exchange) => (
          <ExchangeCard key={exchange.id} exchange={exchange} />
        ))}
      </ul>
      {list.hasNextPage && (
        <div>
          <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more sessions with neighbors
          </Button>
          {list.isFetchNextPageError && <p role="alert">We couldn't load more. Try again.</p>}
        </div>
      )}
    </>
  );
}
