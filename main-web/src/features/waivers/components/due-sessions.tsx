import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Notice } from "@/components/ui/notice";
import type { DueSession } from "../api/get-waivers";
import styles from "./waivers-page.module.css";
import { formatSession } from "@porchlight/shared/format/session-times";

/** The sessions that need a new waiver, with links to sign it; nothing without any. */
export function DueSessions({ sessions, hasMore }: { sessions: DueSession[]; hasMore: boolean }) {
  if (sessions.length === 0) return null;
  return (
    <Notice tone="warning">
      <p>
        <strong>
          {sessions.length === 1 ? "1 session needs" : `${hasMore ? "More than " : ""}${sessions.length} sessions need`}{" "}
          a waiver.
        </strong>{" "}
        Open {sessions.length === 1 ? "it" : "one"} to see when to sign.
      </p>
      <ul className={styles.due}>
        {sessions.map((session) => (
          <li key={session.bookingId}>
            <Link to={generatePath(paths.session, { id: session.bookingId })}>
              {session.serviceName} with {session.guruName}
            </Link>
            , {formatSession(session.startsAt, session.endsAt, session.zone)}
          </li>
        ))}
      </ul>
      {hasMore && (
        <p>
          These are the next {sessions.length}. <Link to={paths.sessions}>See all your sessions</Link>
        </p>
      )}
    </Notice>
  );
}
