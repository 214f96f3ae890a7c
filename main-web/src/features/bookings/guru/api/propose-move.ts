import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Propose another time for a booking. The neighbor reads the reason. */
export function useProposeMove(id: string) {
  return useBookingMutation((body: { startsAt: string; reason: string }) =>
    api.POST("/guru/bookings/{booking_id}/move", { params: { path: { booking_id: id } }, body }),
  );
}
