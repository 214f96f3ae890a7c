import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { restUrl } from "./get-rest";

/** Cancel a session of a series and those after it. The neighbor reads the reason and owes nothing. */
export function useCancelRest(id: string) {
  return useBookingMutation((reason: string) => api.post(`${restUrl(id)}/cancellation`, { body: { reason } }));
}
