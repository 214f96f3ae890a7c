import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Cancel a booking. The neighbor reads the reason and owes nothing. */
export function useCancelBooking(id: string) {
  return useBookingMutation((reason: string) =>
    api.POST("/guru/bookings/{booking_id}/cancellation", { params: { path: { booking_id: id } }, body: { reason } }),
  );
}
