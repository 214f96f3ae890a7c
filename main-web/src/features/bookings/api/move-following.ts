import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { followingUrl } from "./get-following";

/** Move sessions of a series, all or none. `startsAt` is the new start of the one with the id. */
export function useMoveFollowing(id: string) {
  return useBookingMutation((body: { startsAt: string; bookings: string[]; termsDigest: string }) =>
    api.post<Booking>(`${followingUrl(id)}/move`, { body }),
  );
}
