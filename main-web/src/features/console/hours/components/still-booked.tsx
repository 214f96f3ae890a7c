import { Link } from "react-router-dom";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/config/paths";
import { personName } from "../../lib/person-name";
import type { BookedTimes } from "../../lib/types";
import { useBookedTimes } from "../api/get-booked-times";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

const SHOWN = 5;

type StillBookedProps = {
  after: string | null;
  before: string | null;
  /** What happens to the sessions, such as "They stay booked." */
  text: string;
  isMet?: (booking: BookedTimes["bookings"][number]) => boolean;
};

/** Names the sessions that a change of the hours would meet, with links to cancel or move them, before it is saved. */
export function StillBooked({ after, before, text, isMet = () => true }: StillBookedProps) {
  const booked = useBookedTimes(after, before);
  const met = (after !== null && before !== null ? (booked.data?.bookings ?? []) : []).filter(isMet);
  const others = met.length - SHOWN;
  return (
    <div aria-live="polite">
      {met.length > 0 && (
        <Notice tone="warning">
          {text}
          <ul>
            {met.slice(0, SHOWN).map((booking) => (
              <li key={booking.id}>
                <Link to={`${paths.guruCalendar}?booking=${booking.id}`}>
                  {booking.serviceName} with {personName(booking)}, {formatSessionStart(booking.startsAt, booking.zone)}
                </Link>
              </li>
            ))}
            {others > 0 && <li>{booked.data?.more ? `${others} or more others` : `${others} more`}</li>}
          </ul>
        </Notice>
      )}
    </div>
  );
}
