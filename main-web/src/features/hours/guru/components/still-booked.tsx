import { BookedNotice } from "@/features/bookings/contract";
import type { BookedTimes } from "../lib/types";
import { useBookedTimes } from "../api/get-booked-times";

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
  return <BookedNotice booked={booked} affected={affected} text={text} />;
}
