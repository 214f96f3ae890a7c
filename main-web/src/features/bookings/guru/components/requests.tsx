import { Card } from "@/components/ui/card";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/state";
import shared from "@/components/console.module.css";
import { personName } from "@/lib/person-name";
import { useBookings } from "../api/get-bookings";
import { BookingActions } from "./booking-actions";
import { formatSession, formatSessionStart } from "@porchlight/shared/format/session-times";

/** The requests that wait for the guru's answer; nothing without any. */
export function Requests({ onOpen }: { onOpen: (id: string) => void }) {
  const requests = useBookings("requests");
  const rows = requests.data?.pages.flatMap((page) => page.bookings) ?? [];
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
    <section className={shared.section} aria-labelledby="calendar-requests">
      <h2 id="calendar-requests" className={shared.heading}>
        {count === 1 ? "1 request is waiting" : `${count} requests are waiting`}
      </h2>
      <ul className={shared.rows}>
        {rows.map((booking) => (
          <Card as="li" key={booking.id} className={`${shared.row} ${shared.fresh}`}>
            <div className={shared.details}>
              <h3 className={shared.name}>{personName(booking)}</h3>
              <p>{formatSession(booking.startsAt, booking.endsAt, booking.zone)}</p>
              <p className={shared.facts}>
                <span>{booking.serviceName}</span>
                {booking.expiresAt && <span>Answer by {formatSessionStart(booking.expiresAt, booking.zone)}</span>}
              </p>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Details of ${personName(booking)}`}
                onClick={() => onOpen(booking.id)}
              >
                Details
              </Button>
            </div>
            <BookingActions booking={booking} />
          </Card>
        ))}
      </ul>
      {requests.hasNextPage && (
        <Button
          variant="secondary"
          className={shared.end}
          loading={requests.isFetchingNextPage}
          onClick={() => void requests.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </section>
  );
}
