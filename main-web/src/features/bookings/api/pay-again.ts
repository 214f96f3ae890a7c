import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Open Stripe's page again for a held session, after it could not be opened. */
export function usePayAgain(id: string) {
  return useBookingMutation(() => api.POST("/bookings/{booking_id}/payment", { params: { path: { booking_id: id } } }));
}
