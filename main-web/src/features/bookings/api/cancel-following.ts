import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { followingUrl } from "./get-following";

/** Cancel a session of a series and those after it, on the terms that the user saw. */
export function useCancelFollowing(id: string) {
  return useBookingMutation((body: { termsDigest: string; reason: string }) =>
    api.post<Booking>(`${followingUrl(id)}/cancellation`, { body }),
  );
}
