import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

type Answer = { accept: boolean; reason: string; wholeSeries: boolean };

/** Accept or decline a request, or all open requests of its series. The neighbor reads the reason. */
export function useAnswerBooking(id: string) {
  return useBookingMutation((body: Answer) =>
    api.POST("/guru/bookings/{booking_id}/answer", { params: { path: { booking_id: id } }, body }),
  );
}
