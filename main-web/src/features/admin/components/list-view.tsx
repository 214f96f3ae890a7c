import { SearchX, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Navigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import styles from "./list-view.module.css";
import type { List } from "../lib/use-list";
import { ApiError } from "@porchlight/shared/client";

type FiltersProps = {
  search?: { label: string; value: string; onChange: (text: string) => void };
  choices?: {
    label: string;
    value: string;
    onChange: (value: string) => void;
    options: [value: string, label: string][];
  }[];
  children?: ReactNode;
};

/** The filters of a list. */
export function ListFilters({ search, choices = [], children }: FiltersProps) {
  return (
    <form className={styles.filters} role="search" onSubmit={(event) => event.preventDefault()}>
      {search && (
        <div className={styles.search}>
          <Field label={search.label}>
            <Input
              type="search"
              value={search.value}
              maxLength={100}
              onChange={(event) => search.onChange(event.target.value)}
            />
          </Field>
        </div>
      )}
      {choices.map(({ label, value, onChange, options }) => (
        <Field key={label} label={label}>
          <Select value={value} onChange={(event) => onChange(event.target.value)}>
            {options.map(([option, optionLabel]) => (
              <option key={option} value={option}>
                {optionLabel}
              </option>
            ))}
          </Select>
        </Field>
      ))}
      {children}
    </form>
  );
}

type ListViewProps<T> = {
  list: List<T>;
  /** Title of the error state: "The neighbors could not be loaded". */
  errorTitle: string;
  empty: { icon: LucideIcon; title: string };
  filtered: boolean;
  head: string[];
  /** The cells of a row; the first one names it. */
  row: (item: T) => { key: string; cells: ReactNode[] };
  label: string;
};

/** A staff list: a table that becomes cards on a narrow screen, with pages on demand. */
export function ListView<T>({ list, errorTitle, empty, filtered, head, row, label }: ListViewProps<T>) {
  if (list.isPending) return <Loading />;
  if (list.isError && !list.data) {
    if (list.error instanceof ApiError && list.error.status === 401) return <Navigate to={paths.adminLogin} replace />;
    return (
      <ErrorState
        title={errorTitle}
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  const items = list.data;
  if (items.length === 0) {
    return filtered ? <EmptyState icon={SearchX} title="No results match these filters." /> : <EmptyState {...empty} />;
  }
  return (
    <div aria-busy={list.isPlaceholderData}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const { key, cells } = row(item);
            return (
              <tr key={key}>
                {cells.map((cell, column) =>
                  column === 0 ? (
                    <th key={head[column]} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={head[column]} data-label={head[column]}>
                      {cell}
                    </td>
                  ),
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {list.isFetchNextPageError && <p role="alert">{list.error.message}</p>}
      {list.hasNextPage && (
        <div className={styles.more}>
          <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <p className="visually-hidden" role="status">
        Loading...
      </p>
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} height="3rem" radius="md" />
      ))}
    </div>
  );
}
