import { Badge } from "@/components/ui/badge";
import { TitleText } from "@/components/ui/title-text";
import type { Booking } from "../lib/own-booking";
import { statusBadge } from "../lib/session-texts";
import styles from "./sessions.module.css";

/** The service of a session, its guru, and where it stands. */
export function SessionHeading({ booking }: { booking: Booking }) {
  const { label, tone } = statusBadge(booking);
  return (
    <header className={styles.heading}>
      <h1 className={styles.title}>
        <TitleText>{booking.serviceName}</TitleText>
      </h1>
      <p className={styles.lead}>
        with {booking.guruName} <Badge tone={tone}>{label}</Badge>
      </p>
    </header>
  );
}
