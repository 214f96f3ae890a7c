import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Correct where to meet, for a session at the user's place. The guru gets an email. */
export function useChangeAddress(id: string) {
  return useBookingMutation((body: { address: string }) =>
    api.PUT("/bookings/{booking_id}/address", { params: { path: { booking_id: id } }, body }),
  );
}
