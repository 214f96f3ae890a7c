import type { ReactNode } from "react";
import { GuruFace, guruColors, type GuruCardData } from "@/components/guru-face";
import { priceText, sessionTime } from "../lib/session-texts";
import type { Booking, Hold, SessionFacts } from "../lib/types";
import { useHasPassed } from "../lib/use-deadline";
import styles from "./booking-frame.module.css";
import { HoldTimer } from "./hold-timer";

type BookingFrameProps = {
  guru: GuruCardData;
  session: Pick<
    SessionFacts,
    "guruName" | "serviceName" | "startsAt" | "endsAt" | "zone" | "place" | "party" | "priceCents" | "currency"
  > &
    Partial<Pick<Booking, "package" | "payment">> &
    Partial<Pick<Hold, "paysByCard">>;
  /** A package can be used instead of the price. */
  hasPackage?: boolean;
  /** When the hold ends, by this browser's clock; null when nothing is held any more. */
  deadline?: number | null;
  /** More about the session. */
  children?: ReactNode;
};

/**
 * What is booked, in the guru's color: their face and name, the service, the time, the price and how long it is held.
 * It is the same on every step from the free times to the confirmation.
 */
export function BookingFrame({ guru, session, hasPackage = false, deadline = null, children }: BookingFrameProps) {
  const { time, other } = sessionTime(session);
  const hasEnded = useHasPassed(deadline);
  return (
    <section className={styles.frame} style={guruColors(guru)} aria-label="What you're booking">
      <div className={styles.who}>
        <GuruFace guru={guru} />
        <div className={styles.names}>
          <p className={styles.service}>
            <bdi>{session.serviceName}</bdi>
          </p>
          <p className={styles.guru}>
            with <bdi>{session.guruName}</bdi>
          </p>
        </div>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt className="visually-hidden">When</dt>
          <dd>
            <strong>{time}</strong>
            {other !== "" && <span className={styles.soft}>{other}</span>}
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">Price</dt>
          <dd>
            {priceText(session)}
            {hasPackage && ", or with your package"}
            {session.party > 1 && `, for ${session.party} people`}
          </dd>
        </div>
      </dl>
      {children}
      {deadline !== null && !hasEnded && <HoldTimer deadline={deadline} />}
    </section>
  );
}
