import { CalendarDays } from "lucide-react";
import { AnswerList } from "@/components/questions/answer-list";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DataList, DataRow, MoreButton, PendingList, RowFacts, RowName, RowText } from "@/components/ui/data-list";
import { SectionTitle } from "@/components/ui/section-card";
import { Stack } from "@/components/ui/stack";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { STATUS_LABELS, STATUS_TONES } from "../lib/booking-status";
import { useClientBookings } from "./clients-api";
import type { ClientBooking } from "./types";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatSession } from "@porchlight/shared/format/session-times";

type ClientHistoryProps = { clientId: string; onOpen: (id: string) => void };

/** The sessions of a client, the latest first. */
export function ClientHistory({ clientId, onOpen }: ClientHistoryProps) {
  const bookings = useClientBookings(clientId);
  const rows = bookings.data?.pages.flatMap((page) => page.bookings) ?? [];
  return (
    <Stack as="section" aria-labelledby="client-sessions">
      <SectionTitle id="client-sessions">Sessions</SectionTitle>
      {bookings.isPending && <PendingList rows={3} height="5rem" />}
      {bookings.isError && !bookings.data && (
        <ErrorState
          title="We couldn't load the sessions"
          message={bookings.error.message}
          onRetry={() => void bookings.refetch()}
          retrying={bookings.isFetching}
        />
      )}
      {bookings.data && rows.length === 0 && <EmptyState icon={CalendarDays} title="No sessions" />}
      {rows.length > 0 && (
        <DataList aria-labelledby="client-sessions">
          {rows.map((booking) => (
            <Row key={booking.id} booking={booking} onOpen={() => onOpen(booking.id)} />
          ))}
        </DataList>
      )}
      <MoreButton list={bookings} />
    </Stack>
  );
}

function Row({ booking, onOpen }: { booking: ClientBooking; onOpen: () => void }) {
  const time = formatSession(booking.startsAt, booking.endsAt, booking.zone);
  return (
    <DataRow>
      <RowText>
        <RowName as="h3">{booking.serviceName}</RowName>
        <p>{time}</p>
        <RowFacts>
          <Badge tone={STATUS_TONES[booking.status]}>{STATUS_LABELS[booking.status]}</Badge>
          <span>
            {booking.packageName
              ? `Package: ${booking.packageName}`
              : formatMoney(booking.priceCents, booking.currency)}
          </span>
          {booking.party > 1 && <span>{booking.party} people</span>}
        </RowFacts>
        {booking.answers.length > 0 && (
          <details>
            <summary>Answers to your questions</summary>
            <AnswerList answers={booking.answers} />
          </details>
        )}
      </RowText>
      <Button size="sm" variant="secondary" aria-label={`Details of ${booking.serviceName}, ${time}`} onClick={onOpen}>
        Details
      </Button>
    </DataRow>
  );
}
