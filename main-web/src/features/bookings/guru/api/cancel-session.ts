import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Cancel all bookings of a session. */
export function useCancelSession(id: string) {
  return useBookingMutation((reason: string) =>
    api.POST("/guru/sessions/{appointment_id}/cancellation", {
      params: { path: { appointment_id: id } },
      body: { reason },
    }),
  );
}
