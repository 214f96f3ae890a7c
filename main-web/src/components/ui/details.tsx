import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import styles from "@/components/ui/details.module.css";

/** Pixels (SPEC 9). */
const WIDTH = 800;

type DetailsProps<T> = {
  title: string;
  query: UseQueryResult<T>;
  onClose: () => void;
  children: (data: T) => ReactNode;
};

/** A dialog with the details of one row. */
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
          title="We couldn't load this"
          message={query.error.message}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {query.isSuccess && <div className={styles.body}>{children(query.data)}</div>}
    </Dialog>
  );
}

/** A list of terms and values; empty values and false are left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
