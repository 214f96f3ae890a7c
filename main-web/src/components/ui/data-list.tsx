import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { Link, type LinkProps } from "react-router-dom";
import { cx } from "@/lib/cx";
import { Button } from "./button";
import { Card } from "./card";
import styles from "./data-list.module.css";
import { Skeleton } from "./skeleton";
import { Stack } from "./stack";

type DataListProps = Omit<ComponentProps<"ul">, "className"> & {
  /** Whether the order of the rows means something. */
  ordered?: boolean;
};

/** Rows of things that a guru works on; `DataRow` has the parts of a row. */
export function DataList({ ordered = false, ...rest }: DataListProps) {
  return <Stack as={ordered ? "ol" : "ul"} close {...rest} />;
}

/** Take the place of a list while it loads. */
export function PendingList({ rows, height }: { rows: number; height: string }) {
  return (
    <Stack close aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}

type DataRowProps = ComponentProps<typeof Card> & {
  /** Whether the row waits for the user. */
  fresh?: boolean;
};

/** One row of a list. */
export function DataRow({ fresh = false, ...rest }: DataRowProps) {
  return <Card as="li" className={cx(styles.row, fresh && styles.fresh)} {...rest} />;
}

/** The texts of a row, below each other. */
export function RowText(props: ComponentProps<"div">) {
  return <div className={styles.text} {...props} />;
}

/** The heading of a row. */
export function RowName({ as: Tag = "h2", ...rest }: ComponentProps<"h2"> & { as?: "h2" | "h3" }) {
  return <Tag className={styles.name} {...rest} />;
}

/** A link that covers its row. */
export function RowLink(props: Omit<LinkProps, "className">) {
  return <Link className={styles.link} {...props} />;
}

/** Short facts in one row, such as badges and times. */
export function RowFacts(props: ComponentProps<"p">) {
  return <p className={styles.facts} {...props} />;
}

/** The beginning of a longer text, in one line. */
export function RowExcerpt(props: ComponentProps<"p">) {
  return <p className={styles.clip} {...props} />;
}

/** The buttons of a row. */
export function RowButtons(props: ComponentProps<"div">) {
  return <div className={styles.buttons} {...props} />;
}

type MoreButtonProps = {
  list: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
};

/** Load the next page of a list, if it has one. */
export function MoreButton({ list }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="secondary"
      className={styles.more}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      Show more
    </Button>
  );
}

/** The search of a list, and the choices beside it. */
export function ListSearch({ search, children }: { search: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.filters}>
      <div className={styles.search}>{search}</div>
      {children}
    </div>
  );
}
