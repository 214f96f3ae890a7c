import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { restUrl } from "./get-rest";

/** Cancel a session of a series and those after it, on the terms that the user saw. */
export function useCancelRest(id: string) {
  return useBookingMutation((body: { termsDigest: string; reason: string }) =>
    api.post<Booking>(`${restUrl(id)}/cancellation`, { body }),
  );
}
