import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { followingUrl } from "./get-following";

/** Cancel a session of a series and those after it. The neighbor reads the reason and owes nothing. */
export function useCancelFollowing(id: string) {
  return useBookingMutation((reason: string) => api.post(`${followingUrl(id)}/cancellation`, { body: { reason } }));
}
