import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookingUrl } from "./get-booking";

/** Email a participant their personal link again. */
export function useRemindParticipant(id: string) {
  return useBookingMutation((number: number) => api.post(`${bookingUrl(id)}/participants/${number}/link`));
}
