import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Give a held time up instead of paying for it. */
export function useGiveUpPayment(id: string) {
  return useBookingMutation(() =>
    api.DELETE("/bookings/{booking_id}/payment", { params: { path: { booking_id: id } } }),
  );
}
