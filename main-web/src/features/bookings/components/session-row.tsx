import { CalendarClock, MapPin } from "lucide-react";
import { memo } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { GuruAvatar } from "@/components/guru-avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { BlockLink } from "@/components/ui/block-link";
import { ListRow } from "@/components/ui/list-row";
import { TitleText } from "@/components/ui/title-text";
import { safeHref } from "@/lib/safe-href";
import { meetingPlace, placeLabel, statusBadge } from "../lib/session-texts";
import type { Booking } from "../lib/own-booking";
import { amountToPay, heldUntil } from "../lib/payment-texts";
import { useSecondsLeft } from "../lib/use-deadline";
import { SessionTime } from "./session-time";
import styles from "./sessions.module.css";
import { pluralize } from "@porchlight/shared/format/numbers";

type SessionRowProps = {
  booking: Booking;
  /** When a time that waits for its payment is free again, by this browser's clock; null for others. */
  deadline: number | null;
};

/** A session in a list: what, with whom, when, where, and its status. */
export const SessionRow = memo(function SessionRow({ booking, deadline }: SessionRowProps) {
  const { label, tone } = statusBadge(booking);
  const address = meetingPlace(booking);
  return (
    <ListRow
      face={<GuruAvatar label={booking.guruLabel} name={booking.guruName} size="lg" />}
      heading={
        <h2>
          <BlockLink>
            <Link to={generatePath(paths.session, { id: booking.id })}>
              <TitleText>{booking.serviceName}</TitleText>
            </Link>
          </BlockLink>
        </h2>
      }
      badges={
        <>
          <Badge tone={tone}>{label}</Badge>
          {booking.seriesId !== null && <Badge>Series</Badge>}
          {booking.proposal && <Badge tone="warning">New time proposed</Badge>}
          {booking.waiverDue && <Badge tone="warning">Waiver due</Badge>}
        </>
      }
      action={booking.payment?.url && <Pay booking={booking} url={booking.payment.url} />}
      facts={[
        {
          label: "Time",
          value: <SessionTime booking={booking} />,
          icon: <CalendarClock size={15} aria-hidden="true" />,
        },
        {
          label: "Place",
          value: booking.place === "agreed" && address !== "" ? address : placeLabel(booking, address),
          icon: <MapPin size={15} aria-hidden="true" />,
        },
      ]}
    >
      <p>{`with ${booking.guruName}`}</p>
      {deadline !== null && <TimeToPay booking={booking} deadline={deadline} />}
    </ListRow>
  );
});

/** How long the time is held for the payment. */
function TimeToPay({ booking, deadline }: { booking: Booking; deadline: number }) {
  const minutes = Math.ceil(useSecondsLeft(deadline) / 60);
  if (minutes === 0) return <p>The time to pay is over.</p>;
  return <p>{`Held for you until ${heldUntil(booking)}, ${pluralize(minutes, "minute")} left`}</p>;
}

/** Leads to Stripe's page, above the link of the whole row. */
function Pay({ booking, url }: { booking: Booking; url: string }) {
  const keepsCard = booking.status === "held" && booking.payment?.mode === "hold";
  const label = keepsCard ? "Enter your card" : `Pay ${amountToPay(booking)}`;
  const what = `${booking.serviceName} with ${booking.guruName}`;
  return (
    <Button asChild size="sm" className={styles.above}>
      <a href={safeHref(url)} aria-label={`${label}: ${what}`}>
        {label}
      </a>
    </Button>
  );
}
