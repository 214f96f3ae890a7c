import { useSecondsLeft } from "../lib/use-deadline";
import styles from "./book-page.module.css";

const ANNOUNCED_MINUTES = [1, 2, 5];

/** The time that is left `to` do something. Screen readers hear of it at five, two and one minute. */
export function HoldTimer({ deadline, to = "book" }: { deadline: number; to?: "book" | "pay" }) {
  const seconds = useSecondsLeft(deadline);
  const left = formatTimeLeft(seconds);
  const minutes = ANNOUNCED_MINUTES.find((limit) => seconds <= limit * 60);
  return (
    <>
      <p className={styles.timer} data-timer="" data-urgent={seconds <= 60 || undefined}>
        Held for you:{" "}
        <strong role="timer" aria-live="off">
          {left}
        </strong>{" "}
        left
      </p>
      <p className="visually-hidden" aria-live="polite">
        {minutes !== undefined && seconds > 0 && `${minutes} ${minutes === 1 ? "minute" : "minutes"} left to ${to}.`}
      </p>
    </>
  );
}

/** Format as "9:05", or "1:59:05" from an hour on. */
export function formatTimeLeft(seconds: number): string {
  const twoDigits = (count: number) => String(count).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}:${twoDigits(minutes % 60)}` : minutes}:${twoDigits(seconds % 60)}`;
}
