import { Link } from "react-router-dom";
import { Block, BlockEmpty, BlockLoading } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { NextSessionCard, useOwnBookings } from "@/features/bookings/contract";
import { NextBookingCard, useBookingsOverview, useMyGuru } from "@/features/console/contract";
import { NextExchangeCard, useExchanges } from "@/features/exchanges/contract";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";

/** The next session of the user, whichever kind it is: booked, with a neighbor, or taught as a guru. */
export function NextSession() {
  const isGuru = Boolean(useMyGuru().data);
  const bookings = useOwnBookings("upcoming");
  const exchanges = useExchanges("upcoming");
  const taught = useBookingsOverview(isGuru);
  const booking = bookings.data?.pages[0]?.bookings[0];
  const exchange = exchanges.data?.pages[0]?.exchanges[0];
  const lesson = taught.data?.next[0];
  const sessions = [
    booking && { startsAt: booking.startsAt, card: <NextSessionCard booking={booking} /> },
    exchange?.startsAt && { startsAt: exchange.startsAt, card: <NextExchangeCard exchange={exchange} /> },
    lesson && { startsAt: lesson.startsAt, card: <NextBookingCard booking={lesson} /> },
  ].filter((session) => session !== undefined && session !== null && session !== "");
  const next = sessions.sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))[0];
  const queries = [bookings, exchanges, taught];
  const isLoading = queries.some(({ isLoading: loads }) => loads);
  const isBroken = queries.some(({ isLoadingError }) => isLoadingError);
  return (
    <Block title="Your next session" link={<Link to={paths.sessions}>All sessions</Link>}>
      {next && !isLoading ? next.card : isLoading ? <BlockLoading height="7.5rem" /> : null}
      <LoadNotice what="your sessions" queries={queries} />
      {!next && !isLoading && !isBroken && (
        <BlockEmpty
          action={
            <Button asChild size="sm">
              <Link to={paths.skills}>Find something to learn</Link>
            </Button>
          }
        >
          Nothing is booked. Somebody on your street knows how.
        </BlockEmpty>
      )}
    </Block>
  );
}
