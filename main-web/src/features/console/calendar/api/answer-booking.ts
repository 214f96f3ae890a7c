import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookingUrl } from "./get-booking";

type Answer = { accept: boolean; reason: string; wholeSeries: boolean };

/** Accept or decline a request, or all open requests of its series. The neighbor reads the reason. */
export function useAnswerBooking(id: string) {
  return useBookingMutation((body: Answer) => api.post(`${bookingUrl(id)}/answer`, { body }));
}
