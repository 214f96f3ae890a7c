import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Cancel a session of a series and those after it. The neighbor reads the reason and owes nothing. */
export function useCancelFollowing(id: string) {
  return useBookingMutation((reason: string) =>
    api.POST("/guru/bookings/{booking_id}/following/cancellation", {
      params: { path: { booking_id: id } },
      body: { reason },
    }),
  );
}
