import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { restUrl } from "./get-rest";

/** Move sessions of a series, all or none. `startsAt` is the new start of the one with the id. */
export function useMoveRest(id: string) {
  return useBookingMutation((body: { startsAt: string; bookings: string[]; termsDigest: string }) =>
    api.post<Booking>(`${restUrl(id)}/move`, { body }),
  );
}
