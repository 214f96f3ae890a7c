import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookingUrl } from "./get-booking";

/** Accept or decline a request. The neighbor reads the reason. */
export function useAnswerBooking(id: string) {
  return useBookingMutation((body: { accept: boolean; reason: string }) =>
    api.post(`${bookingUrl(id)}/answer`, { body }),
  );
}
