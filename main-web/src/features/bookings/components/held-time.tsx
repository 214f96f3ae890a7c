import { Skeleton } from "@/components/ui/skeleton";
import { useHold } from "../api/get-hold";
import { priceText, sessionTime } from "../lib/session-texts";
import { HoldTimer } from "./hold-timer";
import styles from "./held-time.module.css";

/** The time that is kept for someone who signs in: what, with whom, when, for how much and for how long. */
export function HeldTime({ token }: { token: string }) {
  const hold = useHold(token);
  if (hold.isPending) return <Skeleton height="7rem" radius="md" />;
  // Signing in goes on without it; the page of the booking says what became of the time.
  if (hold.isError) return null;
  const { serviceName, guruName, priceCents, currency, expiresAt, secondsLeft } = hold.data;
  const { time, other } = sessionTime(hold.data);
  return (
    <section className={styles.held} aria-label="What you're booking">
      <p>
        <strong>
          <bdi>{serviceName}</bdi>
        </strong>{" "}
        with <bdi>{guruName}</bdi>
      </p>
      <p>
        {time}
        {other !== "" && <span className={styles.soft}>{other}</span>}
      </p>
      <p>{priceText({ priceCents, currency })}</p>
      {expiresAt !== null && <HoldTimer deadline={hold.dataUpdatedAt + secondsLeft * 1000} />}
    </section>
  );
}
