import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import { ListRowSkeletons } from "@/components/ui/list-row";
import { Skeleton } from "@/components/ui/skeleton";
import styles from "./results.module.css";

/** The columns of results while the first ones are being loaded. */
export function ResultsLoading() {
  return (
    <div className={styles.results}>
      <div className={styles.summary}>
        <p role="status">Searching…</p>
      </div>
      <Columns map={<Skeleton height="100%" radius="md" />} showsMap={false}>
        <ListRowSkeletons />
      </Columns>
    </div>
  );
}

type ColumnsProps = { map: ReactNode; showsMap: boolean; children: ReactNode };

/** The rows, with the map beside them on a wide screen. It comes after them for the keyboard. */
export function Columns({ map, showsMap, children }: ColumnsProps) {
  return (
    <div className={cx(styles.columns, !map && styles.alone)}>
      <div className={styles.rows}>{children}</div>
      {map && <div className={cx(styles.map, showsMap && styles.shown)}>{map}</div>}
    </div>
  );
}
