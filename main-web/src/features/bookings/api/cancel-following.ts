import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Cancel a session of a series and those after it, on the terms that the user saw. */
export function useCancelFollowing(id: string) {
  return useBookingMutation((body: { termsDigest: string; reason: string }) =>
    api.POST("/bookings/{booking_id}/following/cancellation", { params: { path: { booking_id: id } }, body }),
  );
}
