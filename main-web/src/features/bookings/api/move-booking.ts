import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookedUrl } from "./get-booked";

/** Move a session to another start, on the terms that the user, or the bearer of a link, saw. */
export function useMoveBooking(id: string, link?: string) {
  const url = link === undefined ? `/bookings/${id}` : bookedUrl(link);
  return useBookingMutation(
    (body: { startsAt: string; termsDigest: string }) => api.post<Booking>(`${url}/move`, { body }),
    link,
  );
}
