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
  isAffected?: (booking: BookedTimes["bookings"][number]) => boolean;
};

/** Lists the booked sessions that a change of the hours affects, with links to them, before it is saved. */
export function StillBooked({ after, before, text, isAffected = () => true }: StillBookedProps) {
  const booked = useBookedTimes(after, before);
  // While another time loads, the sessions of the last one stay.
  const isTime = after !== null && before !== null && after < before;
  const affected = (isTime ? (booked.data?.bookings ?? []) : []).filter(isAffected);
  const others = affected.length - SHOWN;
  return (
    <div aria-live="polite">
      {affected.length > 0 && (
        <Notice tone="warning">
          {text}
          <ul>
            {affected.slice(0, SHOWN).map((booking) => (
              <li key={booking.id}>
                <Link to={`${paths.guruCalendar}?booking=${booking.id}`}>
                  {booking.serviceName} with {personName(booking)}, {formatSessionStart(booking.startsAt, booking.zone)}
                </Link>
              </li>
            ))}
            {others > 0 && <li>{booked.data?.more ? `At least ${others} more` : `${others} more`}</li>}
          </ul>
        </Notice>
      )}
    </div>
  );
}
