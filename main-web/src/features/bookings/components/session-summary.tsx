import { Backpack, CalendarClock, MapPin, UsersRound, Wallet } from "lucide-react";
import { placeLabel, preparation, sessionTime } from "../lib/session-texts";
import type { SessionFacts } from "../lib/types";
import styles from "./book-page.module.css";
import texts from "./sessions.module.css";
import { formatMoney } from "@porchlight/shared/format/money";

type SessionSummaryProps = {
  session: SessionFacts & Parameters<typeof preparation>[0];
};

/** When, where, what to prepare, for how many and for how much. */
export function SessionSummary({ session }: SessionSummaryProps) {
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
        <dd>{placeLabel(session, "")}</dd>
      </div>
      {preparation(session).map(({ label, text }) => (
        <div key={label}>
          <Backpack size={20} aria-hidden="true" />
          <dt className="visually-hidden">{label}</dt>
          <dd className={texts.userText}>
            <span aria-hidden="true">{label}: </span>
            {text}
          </dd>
        </div>
      ))}
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
        <dd>{session.priceCents > 0 ? formatMoney(session.priceCents, session.currency) : "Free"}</dd>
      </div>
    </dl>
  );
}
