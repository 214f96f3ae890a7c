import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

type Moves = {
  bookings: readonly string[];
  startsAt: string;
  reason: string;
  /** Called with each booking whose person was asked, so that they are not asked again after an error. */
  onAsked: (bookingId: string) => void;
};

/** Propose another time for the bookings of a session, one after the other. Stops at the first that is refused. */
export function useProposeMoves() {
  return useBookingMutation(async ({ bookings, startsAt, reason, onAsked }: Moves) => {
    for (const id of bookings) {
      await api.POST("/guru/bookings/{booking_id}/move", {
        params: { path: { booking_id: id } },
        body: { startsAt, reason },
      });
      onAsked(id);
    }
  });
}
