import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/lib/cx";
import styles from "./list-row.module.css";
import { Skeleton } from "./skeleton";

/** A fact of a row. The label is for screen readers; people see the value, after a picture if there is one. */
export type Fact = { label: string; value: ReactNode; icon?: ReactNode };

type ListRowProps = ComponentProps<"li"> & {
  /** The picture: a face, the cover of a text, or the icon of a service. */
  face: ReactNode;
  /** The heading with its link. */
  heading: ReactNode;
  badges?: ReactNode;
  /** What it is about. */
  children?: ReactNode;
  facts?: readonly Fact[];
  /** The one next step. */
  action?: ReactNode;
  /** Marks the row, as its dot on a map is marked. */
  active?: boolean;
};

/** A row of a list: who, what and how much at a glance, and one next step. On a phone, the step comes below. */
export function ListRow({
  face,
  heading,
  badges,
  children,
  facts = [],
  action,
  active,
  className,
  ...rest
}: ListRowProps) {
  return (
    <li className={cx(styles.row, active && styles.active, className)} {...rest}>
      <div className={styles.face}>{face}</div>
      <div className={styles.body}>
        <div className={styles.head}>
          {heading}
          {badges}
        </div>
        {children && <div className={styles.text}>{children}</div>}
        {facts.length > 0 && (
          <dl className={styles.facts}>
            {facts.map(({ label, value, icon }) => (
              <div key={label}>
                <dt className="visually-hidden">{label}</dt>
                <dd>
                  {icon}
                  <span>{value}</span>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </li>
  );
}

/** The list around rows. */
export function ListRows({ className, ...rest }: ComponentProps<"ul">) {
  return <ul className={cx(styles.rows, className)} {...rest} />;
}

/** A square with an icon or a picture, where a row is not about a person. */
export function RowTile({ children }: { children: ReactNode }) {
  return (
    <span className={styles.tile} aria-hidden="true">
      {children}
    </span>
  );
}

/** Rows that are being loaded, as tall as most of the rows that come. */
export function ListRowSkeletons({ count = 5 }: { count?: number }) {
  return (
    <div className={styles.rows} aria-busy="true">
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className={styles.row}>
          <Skeleton width="3.5rem" height="3.5rem" radius="full" />
          <div className={styles.body}>
            <Skeleton width="50%" height="1.4rem" />
            <Skeleton height="2.4rem" />
            <Skeleton width="70%" height="1.2rem" />
          </div>
        </div>
      ))}
    </div>
  );
}
