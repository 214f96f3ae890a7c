import { cx } from "@/lib/cx";
import styles from "./statement.module.css";
import type { StatementLine } from "../lib/types";
import { formatTimestamp } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

/** The lines of a statement: a table that becomes cards on a narrow screen. */
export function StatementTable({ lines, label }: { lines: StatementLine[]; label: string }) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Description</th>
          <th scope="col" className={styles.number}>
            Amount
          </th>
          <th scope="col" className={styles.number}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ number, at, description, amount, balanceAfter }) => (
          <tr key={number}>
            <td className={styles.date}>{formatTimestamp(at)}</td>
            <th scope="row" className={styles.description}>
              {description}
            </th>
            <td className={cx(styles.number, styles.amount, amount > 0 && styles.in)}>
              {amount > 0 && "+"}
              {formatCents(amount)}
            </td>
            <td className={cx(styles.number, styles.balance, styles.soft)}>
              <span className="visually-hidden">Balance </span>
              {formatCents(balanceAfter)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
