import { CalendarDays } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { DataList, DataRow, MoreButton, PendingList, RowFacts, RowName, RowText } from "@/components/ui/data-list";
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
    return <PendingList rows={2} height="5rem" />;
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
    <Stack close>
      <DataList aria-label={when === "upcoming" ? "Upcoming sessions" : "Past sessions"}>
        {rows.map((booking) => (
          <DataRow key={booking.id}>
            <RowText>
              <RowName>{personName(booking)}</RowName>
              <p>{formatSession(booking.startsAt, booking.endsAt, booking.zone)}</p>
              <RowFacts>
                <Badge tone={STATUS_TONES[booking.status]}>{STATUS_LABELS[booking.status]}</Badge>
                <span>{booking.serviceName}</span>
                {booking.checkedInAt !== null && <Badge tone="good">Checked in</Badge>}
                {booking.proposal && <Badge tone="warning">New time proposed</Badge>}
                {booking.waiverDue && <Badge tone="warning">{waiverText(booking)}</Badge>}
              </RowFacts>
            </RowText>
            <Button
              size="sm"
              variant="secondary"
              aria-label={`Details of ${personName(booking)}`}
              onClick={() => onOpen(booking.id)}
            >
              Details
            </Button>
          </DataRow>
        ))}
      </DataList>
      <MoreButton list={bookings} />
    </Stack>
  );
}
