import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookingUrl } from "./get-booking";

/** Cancel a booking. The neighbor reads the reason and owes nothing. */
export function useCancelBooking(id: string) {
  return useBookingMutation((reason: string) => api.post(`${bookingUrl(id)}/cancellation`, { body: { reason } }));
}
