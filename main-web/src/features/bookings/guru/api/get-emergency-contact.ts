import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/** Get the emergency contacts of a booking, null without any. A mutation: the server logs each view. */
export function useEmergencyContact(id: string) {
  return useMutation({
    mutationFn: () =>
      api.GET("/guru/bookings/{booking_id}/emergency-contact", { params: { path: { booking_id: id } } }),
    gcTime: 0,
  });
}
