import type { ReactNode } from "react";
import { generatePath } from "react-router-dom";
import { paths } from "@/config/paths";
import { personName } from "@/lib/person-name";
import { NextSessionCard, useOwnBookings } from "@/features/bookings/contract";
import { NextBookingCard, useBookingsOverview, useMyGuru } from "@/features/console/contract";
import { NextExchangeCard, useExchanges } from "@/features/exchanges/contract";
import { viewerZone } from "@porchlight/shared/format/session-times";

export type NextSession = { startsAt: string; zone: string; title: string; to: string; card: ReactNode };

/** Return the next session of the user, whichever kind it is: booked, with a neighbor, or as a guru. */
export function useNextSession() {
  const isGuru = Boolean(useMyGuru({ retryOnMount: false }).data);
  const bookings = useOwnBookings("upcoming");
  const exchanges = useExchanges("upcoming");
  const taught = useBookingsOverview(isGuru);
  const sessions: NextSession[] = [];
  const booking = bookings.data?.pages[0]?.bookings.find(({ status }) => status === "confirmed");
  if (booking) {
    sessions.push({
      startsAt: booking.startsAt,
      zone: booking.place === "online" ? viewerZone() : booking.zone,
      title: `${booking.serviceName} with ${booking.guruName}`,
      to: generatePath(paths.session, { id: booking.id }),
      card: <NextSessionCard booking={booking} />,
    });
  }
  const exchange = exchanges.data?.pages[0]?.exchanges[0];
  if (exchange?.startsAt) {
    sessions.push({
      startsAt: exchange.startsAt,
      zone: viewerZone(),
      title: `${exchange.skill || "Session"} with ${exchange.neighbor.name}`,
      to: generatePath(paths.exchange, { id: exchange.id }),
      card: <NextExchangeCard exchange={exchange} />,
    });
  }
  const lesson = taught.data?.next[0];
  if (lesson) {
    sessions.push({
      startsAt: lesson.startsAt,
      zone: lesson.zone,
      title: `You teach ${lesson.serviceName}: ${personName(lesson)}`,
      to: paths.guruCalendar,
      card: <NextBookingCard booking={lesson} />,
    });
  }
  sessions.sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));
  return { next: sessions[0] ?? null, queries: [bookings, exchanges, taught] };
}
