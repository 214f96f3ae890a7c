import { cx } from "@/lib/cx";
import type { YearStatement, YearTotals } from "../lib/types";
import styles from "./year-table.module.css";
import { formatCents } from "@porchlight/shared/format/money";

type Column = { name: keyof YearTotals; label: string; always: boolean };

const COLUMNS: Column[] = [
  { name: "paid", label: "Paid by people", always: true },
  { name: "refunds", label: "Refunds", always: false },
  { name: "disputes", label: "Disputes", always: false },
  { name: "tips", label: "Tips", always: false },
  { name: "other", label: "Corrections", always: false },
  { name: "fees", label: "Fees", always: true },
  { name: "earned", label: "Net earned", always: true },
  { name: "paidOut", label: "Paid out", always: true },
];
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" }).format(Date.UTC(2026, month, 1)),
);

const hasMoney = (totals: YearTotals) => COLUMNS.some(({ name }) => totals[name] !== 0);

/** The totals of a year: a table of its months with money, which become cards on a narrow screen. */
export function YearTable({ statement }: { statement: YearStatement }) {
  const { year, months, total } = statement;
  const columns = COLUMNS.filter(({ name, always }) => always || months.some((totals) => totals[name] !== 0));
  const rows = months.flatMap((totals, month) => (hasMoney(totals) ? [{ label: MONTHS[month], totals }] : []));
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={`Year ${year}`}>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col" className={styles.number}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, totals }) => (
            <Row key={label} label={label ?? ""} totals={totals} columns={columns} />
          ))}
          <Row label={`All of ${year}`} totals={total} columns={columns} isTotal />
        </tbody>
      </table>
    </div>
  );
}

type RowProps = { label: string; totals: YearTotals; columns: Column[]; isTotal?: boolean };

function Row({ label, totals, columns, isTotal = false }: RowProps) {
  return (
    <tr className={cx(isTotal && styles.total)}>
      <th scope="row">{label}</th>
      {columns.map(({ name, label: column }) => (
        <td key={name} className={styles.number}>
          <span className={styles.label} aria-hidden="true">
            {column}
          </span>
          {formatCents(totals[name])}
        </td>
      ))}
    </tr>
  );
}
