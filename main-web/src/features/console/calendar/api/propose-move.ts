import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookingUrl } from "./get-booking";

/** Propose another time for a booking. The neighbor reads the reason. */
export function useProposeMove(id: string) {
  return useBookingMutation((body: { startsAt: string; reason: string }) =>
    api.post(`${bookingUrl(id)}/move`, { body }),
  );
}
