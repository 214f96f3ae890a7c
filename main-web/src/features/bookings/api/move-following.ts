import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Move sessions of a series, all or none. `startsAt` is the new start of the one with the id. */
export function useMoveFollowing(id: string) {
  return useBookingMutation((body: { startsAt: string; bookings: string[]; termsDigest: string }) =>
    api.POST("/bookings/{booking_id}/following/move", { params: { path: { booking_id: id } }, body }),
  );
}
