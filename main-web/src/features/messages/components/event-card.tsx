import { CalendarDays } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { eventTitle } from "../lib/texts";
import type { SessionEvent, Side } from "../lib/types";
import styles from "./event-card.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** What happened to a session, between the messages, with a link to it. */
export function EventCard({ event, side }: { event: SessionEvent; side: Side }) {
  const address =
    side === "guru"
      ? `${paths.guruCalendar}?booking=${event.bookingId}`
      : generatePath(paths.session, { id: event.bookingId });
  return (
    <div className={styles.event}>
      <CalendarDays size={18} aria-hidden="true" />
      <p className={styles.words}>
        <Link to={address} className={styles.link}>
          {eventTitle(event)}
        </Link>
        <span className={styles.facts}>
          {event.serviceName} · {formatSessionStart(event.startsAt, event.zone)}
        </span>
      </p>
    </div>
  );
}
