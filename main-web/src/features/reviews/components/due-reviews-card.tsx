import { Star } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import { useDueReviews } from "../api/get-due-reviews";
import styles from "./reviews.module.css";
import { formatSessionDay } from "@porchlight/shared/format/session-times";

const MAX_SHOWN = 3;

/** A dashboard card: ended sessions that the user can review. Nothing without one. */
export function DueReviewsCard() {
  const isOn = useFlag("reviews");
  const due = useDueReviews(isOn);
  if (!isOn) return null;
  if (!due.data) return <LoadNotice what="your sessions to review" queries={[due]} />;
  const { sessions } = due.data;
  if (sessions.length === 0) return null;
  return (
    <Card className={styles.due}>
      <Star size={22} aria-hidden="true" />
      <div className={styles.dueText}>
        <h3 className={styles.name}>How was it?</h3>
        <ul className={styles.dueList}>
          {sessions.slice(0, MAX_SHOWN).map((session) => (
            <li key={session.bookingId}>
              <div>
                <p className={styles.words}>
                  {session.serviceName} with {session.name}
                </p>
                <p className={styles.soft}>
                  {formatSessionDay(session.startsAt, session.zone)} · you can review it until{" "}
                  {formatSessionDay(session.openUntil, session.zone)}
                </p>
              </div>
              <Button asChild variant="secondary" size="sm">
                <Link to={{ pathname: generatePath(paths.session, { id: session.bookingId }), hash: "#reviews" }}>
                  Write a review
                  <span className="visually-hidden">
                    {" "}
                    of {session.serviceName} with {session.name}
                  </span>
                </Link>
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
