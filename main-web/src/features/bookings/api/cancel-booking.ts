import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookedUrl } from "./get-booked";

/** Cancel a session or withdraw a request, on the terms that the user, or the bearer of a link, saw. */
export function useCancelBooking(id: string, link?: string) {
  const url = link === undefined ? `/bookings/${id}` : bookedUrl(link);
  return useBookingMutation(
    (body: { termsDigest: string; reason: string }) => api.post<Booking>(`${url}/cancellation`, { body }),
    link,
  );
}
