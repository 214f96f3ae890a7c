import { CalendarDays, Clock, MapPin, Wallet } from "lucide-react";
import { Badge } from "../../ui/badge";
import styles from "./angels.module.css";
import { dayRange, distance, dollars } from "./formats";
import type { Need } from "./get-needs";

const STATUS: Record<Need["status"], { tone: "green" | "neutral" | "lamp" | "info"; words: string }> = {
  open: { tone: "green", words: "Open" },
  accepted: { tone: "info", words: "Offer accepted" },
  done: { tone: "neutral", words: "Done" },
  withdrawn: { tone: "neutral", words: "Withdrawn" },
  expired: { tone: "lamp", words: "Expired" },
};

export function StatusBadge({ status }: { status: Need["status"] }) {
  return <Badge tone={STATUS[status].tone}>{STATUS[status].words}</Badge>;
}

/** When, where, how long and for how much, in a line. */
export function NeedFacts({ need }: { need: Need }) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt className="visually-hidden">When</dt>
        <dd>
          <CalendarDays size={15} aria-hidden="true" />
          {dayRange(need.wantedFrom, need.wantedUntil)}
          {need.timeNote && ` (${need.timeNote})`}
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">Where</dt>
        <dd>
          <MapPin size={15} aria-hidden="true" />
          {need.city}
          {need.miles !== null && `, ${distance(need.miles)}`}
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
          {need.budgetCents === null ? "No budget named" : dollars(need.budgetCents)}
        </dd>
      </div>
    </dl>
  );
}

/** The fair price as it was proposed, for who makes or weighs an offer. */
export function FairPrice({ need }: { need: Need }) {
  if (need.lowCents === null || need.highCents === null) return null;
  return (
    <p className={styles.hint}>
      Fair for this, by what is usual: {dollars(need.lowCents)}
      {need.highCents !== need.lowCents && `–${dollars(need.highCents)}`}
    </p>
  );
}
