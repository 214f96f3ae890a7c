import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Email a participant their personal link again. */
export function useRemindParticipant(id: string) {
  return useBookingMutation((number: number) =>
    api.POST("/guru/bookings/{booking_id}/participants/{number}/link", {
      params: { path: { booking_id: id, number: String(number) } },
    }),
  );
}
