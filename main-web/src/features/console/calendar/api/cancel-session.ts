import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Cancel all bookings of a session. */
export function useCancelSession(id: string) {
  return useBookingMutation((reason: string) =>
    api.post(`/guru/sessions/${encodeURIComponent(id)}/cancellation`, { body: { reason } }),
  );
}
