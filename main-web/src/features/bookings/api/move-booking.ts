import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Move a session to another start, on the terms that the user, or the bearer of a link, saw. */
export function useMoveBooking(id: string, link?: string) {
  return useBookingMutation(
    (body: { startsAt: string; termsDigest: string }) =>
      link === undefined
        ? api.POST("/bookings/{booking_id}/move", { params: { path: { booking_id: id } }, body })
        : api.POST("/booked/{link}/move", { params: { path: { link } }, body }),
    link,
  );
}
