import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookingUrl } from "./get-booking";

/** Withdraw the open proposal of another time. */
export function useWithdrawProposal(id: string) {
  return useBookingMutation(() => api.delete(`${bookingUrl(id)}/move`));
}
