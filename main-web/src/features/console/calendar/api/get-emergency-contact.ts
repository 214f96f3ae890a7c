import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { bookingUrl } from "./get-booking";
import type { components } from "@porchlight/shared/api.gen";

type EmergencyContact = components["schemas"]["EmergencyContactsData"];

/** Get the emergency contacts of a booking, null without any. A mutation: the server logs each view. */
export function useEmergencyContact(id: string) {
  return useMutation({
    mutationFn: () => api.get<EmergencyContact | null>(`${bookingUrl(id)}/emergency-contact`),
    gcTime: 0,
  });
}
