import type { Booking } from "../lib/own-booking";
import { sessionTime } from "../lib/session-texts";
import styles from "./sessions.module.css";

/** When a session is, with the time in the other zone beside it. */
export function SessionTime({ booking }: { booking: Booking }) {
  const { time, other } = sessionTime(booking);
  return (
    <>
      <time dateTime={booking.startsAt}>{time}</time>
      {other && <span className={styles.soft}> ({other})</span>}
    </>
  );
}
