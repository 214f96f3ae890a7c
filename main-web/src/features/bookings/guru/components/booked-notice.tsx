import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/config/paths";
import { personName } from "@/lib/person-name";
import type { BookedTimes } from "@/features/hours/contract";
import { useAffectedBookings, type ChangedRules } from "../api/get-affected-bookings";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

const SHOWN = 5;

type BookedNoticeProps = {
  booked: UseQueryResult<BookedTimes>;
  affected: BookedTimes["bookings"];
  /** What happens to the sessions, such as "They stay booked." */
  text: string;
};

/** Names the booked sessions that a change affects, with links to them, before it is saved. */
export function BookedNotice({ booked, affected, text }: BookedNoticeProps) {
  const others = affected.length - SHOWN;
  return (
    <div aria-live="polite">
      <LoadNotice what="the booked sessions that this affects" queries={[booked]} />
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

/** Names the booked sessions that differ from the rules about to be saved. Shows nothing while no rule changes. */
export function AffectedBookings({ rules, text }: { rules: ChangedRules; text: string }) {
  const isChanged = Object.keys(rules).some((name) => name !== "serviceId");
  const booked = useAffectedBookings(isChanged ? rules : null);
  return <BookedNotice booked={booked} affected={isChanged ? (booked.data?.bookings ?? []) : []} text={text} />;
}
