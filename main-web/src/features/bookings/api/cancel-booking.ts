import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Cancel a session or withdraw a request, on the terms that the user saw. */
export function useCancelBooking(id: string) {
  return useBookingMutation((body: { termsDigest: string; reason: string }) =>
    api.post<Booking>(`/bookings/${id}/cancellation`, { body }),
  );
}
