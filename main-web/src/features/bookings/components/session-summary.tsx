import { CalendarClock, MapPin, UsersRound, Wallet } from "lucide-react";
import { placeLabel, sessionTime } from "../lib/session-texts";
import type { SessionFacts } from "../lib/types";
import styles from "./book-page.module.css";
import { formatMoney } from "@porchlight/shared/format/money";

/** When, where, for how many and for how much. `address` is shown with the place. */
export function SessionSummary({ session, address = "" }: { session: SessionFacts; address?: string }) {
  const { time, other } = sessionTime(session);
  return (
    <dl className={styles.facts}>
      <div>
        <CalendarClock size={20} aria-hidden="true" />
        <dt className="visually-hidden">When</dt>
        <dd>
          <strong>{time}</strong>
          {other !== "" && <span className={styles.soft}>{other}</span>}
        </dd>
      </div>
      <div>
        <MapPin size={20} aria-hidden="true" />
        <dt className="visually-hidden">Where</dt>
        <dd>
          {placeLabel(session, address)}
          {address !== "" && <span className={styles.soft}>{address}</span>}
        </dd>
      </div>
      {session.party > 1 && (
        <div>
          <UsersRound size={20} aria-hidden="true" />
          <dt className="visually-hidden">How many</dt>
          <dd>{session.party} people</dd>
        </div>
      )}
      <div>
        <Wallet size={20} aria-hidden="true" />
        <dt className="visually-hidden">Price</dt>
        <dd>
          {session.priceCents === 0
            ? "Free"
            : `${formatMoney(session.priceCents, session.currency)}, pay at the session`}
        </dd>
      </div>
    </dl>
  );
}
