import { AnswerList } from "@/components/questions/answer-list";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { SectionTitle } from "@/components/ui/section-card";
import { DataList, DataRow, MoreButton, RowFacts, RowName, RowText } from "@/components/ui/data-list";
import { personName } from "@/lib/person-name";
import { useBookings } from "../api/get-bookings";
import type { GuruBooking } from "../lib/types";
import { BookingActions } from "./booking-actions";
import styles from "./calendar.module.css";
import { formatSession, formatSessionStart } from "@porchlight/shared/format/session-times";

const byDeadline = (one: GuruBooking, other: GuruBooking) => (one.expiresAt ?? "").localeCompare(other.expiresAt ?? "");

/** The requests that wait for the guru's answer, the most urgent first; nothing without any. */
export function Requests({ onOpen }: { onOpen: (id: string) => void }) {
  const requests = useBookings("requests");
  const rows = (requests.data?.pages.flatMap((page) => page.bookings) ?? []).sort(byDeadline);
  const count = requests.data?.pages[0]?.requests ?? 0;
  if (requests.isError && !requests.data) {
    return (
      <ErrorState
        title="We couldn't load your requests"
        message={requests.error.message}
        onRetry={() => void requests.refetch()}
        retrying={requests.isFetching}
      />
    );
  }
  if (rows.length === 0) return null;
  return (
    <Stack as="section" aria-labelledby="calendar-requests">
      <SectionTitle id="calendar-requests">
        {count === 1 ? "1 request is waiting" : `${count} requests are waiting`}
      </SectionTitle>
      <DataList>
        {rows.map((booking) => (
          <DataRow key={booking.id} fresh>
            <RowText>
              <RowName as="h3">{personName(booking)}</RowName>
              <p>{formatSession(booking.startsAt, booking.endsAt, booking.zone)}</p>
              <RowFacts>
                <span>{booking.serviceName}</span>
                {booking.proposal && <Badge tone="warning">New time proposed</Badge>}
                {booking.expiresAt && <span>Answer by {formatSessionStart(booking.expiresAt, booking.zone)}</span>}
              </RowFacts>
              {booking.note && <p className={styles.requestNote}>“{booking.note}”</p>}
              {booking.answers.length > 0 && (
                <details>
                  <summary>Answers to your questions</summary>
                  <AnswerList answers={booking.answers} />
                </details>
              )}
              <Button
                size="sm"
                variant="ghost"
                className={styles.requestDetails}
                aria-label={`Details of ${personName(booking)}`}
                onClick={() => onOpen(booking.id)}
              >
                Details
              </Button>
            </RowText>
            <BookingActions booking={booking} inRow />
          </DataRow>
        ))}
      </DataList>
      <MoreButton list={requests} />
    </Stack>
  );
}
