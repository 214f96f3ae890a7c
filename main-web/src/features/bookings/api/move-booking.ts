import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Move a session to another start, on the terms that the user saw. */
export function useMoveBooking(id: string) {
  return useBookingMutation((body: { startsAt: string; termsDigest: string }) =>
    api.post<Booking>(`/bookings/${id}/move`, { body }),
  );
}
