import type { CalendarEvent } from "@/lib/calendar-links";
import type { Booking } from "./types";
import { meetingPlace, placeLabel, preparation } from "./session-texts";

type SessionFacts = Pick<
  Booking,
  "serviceName" | "guruName" | "startsAt" | "endsAt" | "place" | "placeText" | "address"
> &
  Parameters<typeof preparation>[0];

/** A session as an event for calendars, as in our calendar file. `path`: of the page with the session. */
export function sessionEvent(session: SessionFacts, path: string): CalendarEvent {
  const place = meetingPlace(session);
  return {
    title: `${session.serviceName} with ${session.guruName}`,
    startsAt: session.startsAt,
    endsAt: session.endsAt,
    location: place || placeLabel(session, place),
    details: [
      ...preparation(session).map(({ label, text }) => `${label}: ${text}`),
      `To move or cancel this session, open it on Porchlight: ${window.location.origin}${path}`,
    ].join("\n\n"),
  };
}
