import { useSecondsLeft } from "../lib/use-deadline";
import styles from "./book-page.module.css";

const ANNOUNCED_MINUTES = [1, 2, 5];

/** The time that is left. Screen readers hear of it at five, two and one minute. */
export function HoldTimer({ deadline }: { deadline: number }) {
  const seconds = useSecondsLeft(deadline);
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const minutes = ANNOUNCED_MINUTES.find((limit) => seconds <= limit * 60);
  return (
    <>
      <p className={styles.timer} data-urgent={seconds <= 60 || undefined}>
        We keep this time for you for{" "}
        <strong role="timer" aria-live="off">
          {left}
        </strong>
        .
      </p>
      <p className="visually-hidden" aria-live="polite">
        {minutes !== undefined && seconds > 0 && `${minutes} ${minutes === 1 ? "minute" : "minutes"} left to book.`}
      </p>
    </>
  );
}
