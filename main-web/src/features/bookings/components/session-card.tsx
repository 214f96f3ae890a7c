import { CalendarClock, MapPin } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { BlockLink } from "@/components/ui/block-link";
import { Card } from "@/components/ui/card";
import { meetingPlace, placeLabel, statusBadge } from "../lib/session-texts";
import type { Booking } from "../lib/own-booking";
import { SessionTime } from "./session-time";
import styles from "./sessions.module.css";

/** A session in a list: what, with whom, when, where, and its status. */
export function SessionCard({ booking }: { booking: Booking }) {
  const { label, tone } = statusBadge(booking);
  const address = meetingPlace(booking);
  return (
    <Card as="li" interactive className={styles.card}>
      <div className={styles.cardHead}>
        <h2 className={styles.name}>
          <BlockLink>
            <Link to={generatePath(paths.session, { id: booking.id })}>{booking.serviceName}</Link>
          </BlockLink>
        </h2>
        <Badge tone={tone}>{label}</Badge>
        {booking.seriesId !== null && <Badge>Series</Badge>}
        {booking.proposal && <Badge tone="warning">New time proposed</Badge>}
        {booking.waiverDue && <Badge tone="warning">Waiver due</Badge>}
      </div>
      <p className={styles.soft}>with {booking.guruName}</p>
      <p className={styles.fact}>
        <CalendarClock size={18} aria-hidden="true" />
        <span>
          <SessionTime booking={booking} />
        </span>
      </p>
      <p className={styles.fact}>
        <MapPin size={18} aria-hidden="true" />
        <span>{booking.place === "agreed" && address !== "" ? address : placeLabel(booking, address)}</span>
      </p>
    </Card>
  );
}
