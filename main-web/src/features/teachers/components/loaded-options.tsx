import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import styles from "./teachers.module.css";

type LoadedOptionsProps<Data> = { query: UseQueryResult<Data>; children: (data: Data) => ReactNode };

/** What a request found, or that it is loading or failed. */
export function LoadedOptions<Data>({ query, children }: LoadedOptionsProps<Data>) {
  if (query.data !== undefined) return <div className={styles.options}>{children(query.data)}</div>;
  if (query.isError) {
    return (
      <ErrorState
        title="We couldn't load the times."
        message={query.error.message}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  return (
    <div className={styles.options} aria-busy="true">
      <p role="status" className={styles.soft}>
        Looking for times…
      </p>
      <Skeleton height="8rem" radius="md" />
    </div>
  );
}
