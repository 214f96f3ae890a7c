import { CalendarDays, Clock, MapPin, Wallet } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import styles from "../../components/angels.module.css";
import { distanceLabel } from "../../lib/labels";
import type { Need } from "../lib/types";
import { formatDateRange } from "@porchlight/shared/format/dates";
import { formatMoney } from "@porchlight/shared/format/money";

const STATUS: Record<Need["status"], { tone: "good" | "neutral" | "warning" | "info"; label: string }> = {
  open: { tone: "good", label: "Open" },
  accepted: { tone: "info", label: "Offer accepted" },
  done: { tone: "neutral", label: "Done" },
  withdrawn: { tone: "neutral", label: "Withdrawn" },
  expired: { tone: "warning", label: "Expired" },
};

export function StatusBadge({ status }: { status: Need["status"] }) {
  return <Badge tone={STATUS[status].tone}>{STATUS[status].label}</Badge>;
}

/** Date, place, duration and budget, in one line. */
export function NeedFacts({ need }: { need: Need }) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt className="visually-hidden">When</dt>
        <dd>
          <CalendarDays size={15} aria-hidden="true" />
          {formatDateRange(need.wantedFrom, need.wantedUntil)}
          {need.timeNote && ` (${need.timeNote})`}
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">Where</dt>
        <dd>
          <MapPin size={15} aria-hidden="true" />
          {need.city}
          {need.miles !== null && `, ${distanceLabel(need.miles)}`}
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">How long</dt>
        <dd>
          <Clock size={15} aria-hidden="true" />
          About {need.hours} {need.hours === 1 ? "hour" : "hours"}
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">Budget</dt>
        <dd>
          <Wallet size={15} aria-hidden="true" />
          {need.budgetCents === null ? "No budget set" : formatMoney(need.budgetCents)}
        </dd>
      </div>
    </dl>
  );
}

/** The suggested fair price of a need. */
export function FairPrice({ need }: { need: Need }) {
  if (need.lowCents === null || need.highCents === null) return null;
  return (
    <p className={styles.hint}>
      Typical price: {formatMoney(need.lowCents)}
      {need.highCents !== need.lowCents && `–${formatMoney(need.highCents)}`}
    </p>
  );
}
