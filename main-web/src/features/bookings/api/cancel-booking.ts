import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Cancel a session or withdraw a request, on the terms that the user, or the bearer of a link, saw. */
export function useCancelBooking(id: string, link?: string) {
  return useBookingMutation(
    (body: { termsDigest: string; reason: string }) =>
      link === undefined
        ? api.POST("/bookings/{booking_id}/cancellation", { params: { path: { booking_id: id } }, body })
        : api.POST("/booked/{link}/cancellation", { params: { path: { link } }, body }),
    link,
  );
}
