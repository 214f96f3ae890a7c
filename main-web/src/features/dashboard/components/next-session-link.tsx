import { CalendarClock } from "lucide-react";
import { Link } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { useNextSession } from "../lib/use-next-session";
import styles from "./next-session-link.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** The next session in one line, for the home page; nothing without one. */
export function NextSessionLink() {
  const isOn = useFlag("booking");
  const { next, queries } = useNextSession();
  if (!isOn || !next || queries.some((query) => query.isLoading)) return null;
  return (
    <Link to={next.to} className={styles.next}>
      <CalendarClock size={20} aria-hidden="true" />
      <span>
        <strong>Your next session</strong>
        <span>{next.title}</span>
        <time dateTime={next.startsAt}>{formatSessionStart(next.startsAt, next.zone)}</time>
      </span>
    </Link>
  );
}
