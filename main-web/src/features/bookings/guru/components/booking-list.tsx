import { CalendarDays } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import shared from "@/components/console.module.css";
import { personName } from "@/lib/person-name";
import { useBookings } from "../api/get-bookings";
import { STATUS_LABELS, STATUS_TONES, waiverText } from "../lib/booking-status";
import { formatSession } from "@porchlight/shared/format/session-times";

type BookingListProps = { when: "upcoming" | "past"; onOpen: (id: string) => void };

/** The confirmed bookings to come, or those that are over. */
export function BookingList({ when, onOpen }: BookingListProps) {
  const bookings = useBookings(when);
  const rows = bookings.data?.pages.flatMap((page) => page.bookings) ?? [];
  if (bookings.isPending) {
    return (
      <div className={shared.rows} aria-busy="true">
        <Skeleton height="5rem" radius="md" />
        <Skeleton height="5rem" radius="md" />
      </div>
    );
  }
  if (bookings.isError && !bookings.data) {
    return (
      <ErrorState
        title="We couldn't load your sessions"
        message={bookings.error.message}
        onRetry={() => void bookings.refetch()}
        retrying={bookings.isFetching}
      />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState icon={CalendarDays} title={when === "upcoming" ? "No sessions yet" : "No past sessions"}>
        {when === "upcoming" ? "When a neighbor books you, you'll see it here and get an email." : null}
      </EmptyState>
    );
  }
  return (
    <div className={shared.rows}>
      <ul className={shared.rows} aria-label={when === "upcoming" ? "Upcoming sessions" : "Past sessions"}>
        {rows.map((booking) => (
          <Card as="li" key={booking.id} className={shared.row}>
            <div className={shared.details}>
              <h2 className={shared.name}>{personName(booking)}</h2>
              <p>{formatSession(booking.startsAt, booking.endsAt, booking.zone)}</p>
              <p className={shared.facts}>
                <Badge tone={STATUS_TONES[booking.status]}>{STATUS_LABELS[booking.status]}</Badge>
                <span>{booking.serviceName}</span>
                {booking.proposal && <Badge tone="warning">New time proposed</Badge>}
                {booking.waiverDue && <Badge tone="warning">{waiverText(booking)}</Badge>}
              </p>
            </div>
            <Button
              size="sm"
              variant="secondary"
              aria-label={`Details of ${personName(booking)}`}
              onClick={() => onOpen(booking.id)}
            >
              Details
            </Button>
          </Card>
        ))}
      </ul>
      {bookings.hasNextPage && (
        <Button
          variant="secondary"
          className={shared.end}
          loading={bookings.isFetchingNextPage}
          onClick={() => void bookings.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </div>
  );
}
