import { Link } from "react-router-dom";
import { NextCard } from "@/components/dashboard/next-card";
import { paths } from "@/config/paths";
import { personName } from "@/lib/person-name";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { components } from "@porchlight/shared/api.gen";
import { formatSession } from "@porchlight/shared/format/session-times";

type NextBookingCardProps = { booking: components["schemas"]["NextBookingData"] };

/** The next session in the calendar of a guru, for their dashboard. */
export function NextBookingCard({ booking }: NextBookingCardProps) {
  const { serviceName, startsAt, endsAt, zone, waiverDue } = booking;
  const name = personName(booking);
  return (
    <NextCard
      name={name}
      photo=""
      title={`You teach ${serviceName}: ${name}`}
      time={<time dateTime={startsAt}>{formatSession(startsAt, endsAt, zone)}</time>}
      badges={waiverDue && <Badge tone="warning">Waiver due</Badge>}
    >
      <Button asChild size="sm">
        <Link to={paths.guruCalendar}>Open calendar</Link>
      </Button>
      <Button asChild variant="secondary" size="sm">
        <Link to={paths.guruCheckIn}>Check in</Link>
      </Button>
    </NextCard>
  );
}
