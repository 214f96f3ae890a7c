import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Propose other times for sessions of a series. `startsAt` is the new start of the one with the id. */
export function useProposeFollowing(id: string) {
  return useBookingMutation((body: { startsAt: string; bookings: string[]; reason: string }) =>
    api.POST("/guru/bookings/{booking_id}/following/move", { params: { path: { booking_id: id } }, body }),
  );
}
