import { useId } from "react";
import { Link } from "react-router-dom";
import { Badge } from "@/components/ui/badge";
import { BlockLink } from "@/components/ui/block-link";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import styles from "./attention.module.css";
import { useOverview } from "../api/get-overview";
import { healthRows, waitingRows, type OverviewRow } from "../lib/overview-rows";
import type { AdminOverview } from "../../lib/types";
import { formatDateRange } from "@porchlight/shared/format/dates";
import { formatNumber } from "@porchlight/shared/format/numbers";

/** What waits for staff and what ails; each row leads to where it is handled. */
export function Attention() {
  const overview = useOverview();
  if (overview.isPending) {
    return (
      <div className={styles.sections} aria-busy="true">
        <p className="visually-hidden" role="status">
          Loading...
        </p>
        <Skeleton height="12rem" radius="md" />
        <Skeleton height="12rem" radius="md" />
      </div>
    );
  }
  if (!overview.data) {
    return (
      <ErrorState
        title="We couldn't load what's waiting"
        message={overview.error.message}
        onRetry={() => void overview.refetch()}
        retrying={overview.isFetching}
      />
    );
  }
  return (
    <div className={styles.sections}>
      <Rows title="Waiting for you" rows={waitingRows(overview.data)} />
      <Rows title="Health" rows={healthRows(overview.data)} />
      <Days days={overview.data.days} />
    </div>
  );
}

function Rows({ title, rows }: { title: string; rows: OverviewRow[] }) {
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {title}
      </h2>
      <ul className={styles.rows}>
        {rows.map(({ label, value, note, to, tone }) => (
          <li key={label} className={styles.row}>
            <span className={styles.name}>
              <BlockLink>
                <Link to={to}>{label}</Link>
              </BlockLink>
              {note && <span className={styles.note}>{note}</span>}
            </span>
            <Badge tone={tone}>{value}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Days({ days }: { days: AdminOverview["days"] }) {
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        Last 7 days
      </h2>
      <table className={styles.days} aria-labelledby={heading}>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">
              <Link to={paths.adminSites}>Leads</Link>
            </th>
            <th scope="col">
              <Link to={`${paths.admin}?tab=users`}>Sign-ups</Link>
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, leads, signUps }) => (
            <tr key={day}>
              <th scope="row">{formatDateRange(day, day)}</th>
              <td>{formatNumber(leads)}</td>
              <td>{formatNumber(signUps)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
