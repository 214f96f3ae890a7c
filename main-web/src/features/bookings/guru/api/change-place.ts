import { api } from "@/lib/api-client";
import type { SessionPlacePayload } from "../lib/types";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Change where a session takes place. All who booked it get an email. */
export function useChangePlace(appointmentId: string) {
  return useBookingMutation((body: SessionPlacePayload) =>
    api.PUT("/guru/sessions/{appointment_id}/place", { params: { path: { appointment_id: appointmentId } }, body }),
  );
}
