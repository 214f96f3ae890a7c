import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dialog } from "../../ui/dialog";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import styles from "./details.module.css";

/** SPEC 9. */
const WIDTH = 800;

type DetailsProps<T> = {
  title: string;
  query: UseQueryResult<T>;
  onClose: () => void;
  children: (found: T) => ReactNode;
};

/** One thing of a list, whole, in a window over it. */
export function Details<T>({ title, query, onClose, children }: DetailsProps<T>) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} width={WIDTH}>
      {query.isPending && (
        <div className={styles.loading}>
          <p className="visually-hidden" role="status">
            Loading...
          </p>
          <Skeleton height="6rem" radius="md" />
          <Skeleton height="3rem" radius="md" />
        </div>
      )}
      {query.isError && (
        <ErrorState
          title="This could not be loaded"
          message={query.error.message}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {query.isSuccess && <div className={styles.body}>{children(query.data)}</div>}
    </Dialog>
  );
}

/** Names and what stands behind them; empty ones are left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== "" && value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
