import { Link } from "react-router-dom";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/config/paths";
import { personName } from "@/lib/person-name";
import type { BookingsOverview } from "../../lib/types";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

type UnplacedProps = Pick<BookingsOverview, "unplaced" | "unplacedServices" | "moreUnplaced">;

/** Names the sessions and services whose place no one knows, each with a link to where the guru enters it. */
export function Unplaced({ unplaced, unplacedServices, moreUnplaced }: UnplacedProps) {
  if (unplaced.length + unplacedServices.length === 0) return null;
  return (
    <Notice tone="warning">
      Neighbors don&apos;t know yet where to meet you:
      <ul>
        {unplaced.map((booking) => (
          <li key={booking.id}>
            <Link to={`${paths.guruCalendar}?booking=${booking.id}`}>
              {booking.serviceName} with {personName(booking)}, {formatSessionStart(booking.startsAt, booking.zone)}
            </Link>
          </li>
        ))}
        {unplacedServices.map((service) => (
          <li key={service.id}>
            <Link to={paths.guruServiceBooking.replace(":id", service.id)}>The service “{service.name}”</Link>
          </li>
        ))}
        {moreUnplaced && <li>And more, which appear here when these have a place</li>}
      </ul>
    </Notice>
  );
}
