import { useDeferredValue } from "react";
import { Button } from "@/components/ui/button";
import { ListRows, ListRowSkeletons } from "@/components/ui/list-row";
import { ErrorState } from "@/components/ui/state";
import { useExchanges } from "../api/get-exchanges";
import type { When } from "../lib/types";
import { ExchangeRow } from "./exchange-row";

/** The sessions with neighbors of one tab. Shows nothing where there are none: the tab has its own empty state. */
export function ExchangeList({ when, label }: { when: When; label: string }) {
  const list = useExchanges(when);
  // Deferred, because rendering all rows at once blocks slow phones.
  const data = useDeferredValue(list.data);
  const exchanges = data?.pages.flatMap((page) => page.exchanges) ?? [];
  if (list.isPending || (list.data && !data)) return <ListRowSkeletons count={1} />;
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
      <ListRows aria-label={label}>
        {exchanges.map((exchange) => (
          <ExchangeRow key={exchange.id} exchange={exchange} />
        ))}
      </ListRows>
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
