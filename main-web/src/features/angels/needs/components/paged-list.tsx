import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import styles from "../../components/angels.module.css";

type PagedListProps = {
  list: Pick<
    UseInfiniteQueryResult,
    | "isPending"
    | "isError"
    | "error"
    | "data"
    | "isFetching"
    | "isFetchingNextPage"
    | "hasNextPage"
    | "refetch"
    | "fetchNextPage"
  >;
  empty: boolean;
  icon: LucideIcon;
  title: string;
  children: ReactNode;
};

/** A list that loads page by page, with its states. */
export function PagedList({ list, empty, icon, title, children }: PagedListProps) {
  return (
    <div className={styles.stack} aria-busy={list.isPending}>
      {list.isPending && (
        <div className={styles.grid}>
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} height="11rem" radius="md" />
          ))}
        </div>
      )}
      {list.isError && !list.data && (
        <ErrorState
          title="We couldn't load this list"
          message={list.error?.message ?? ""}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {Boolean(list.data) && (empty ? <EmptyState icon={icon} title={title} /> : children)}
      {list.hasNextPage && (
        <div>
          <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
