import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookingUrl } from "./get-booking";

/** Withdraw the open proposal of another time, or those for the whole series. */
export function useWithdrawProposal(id: string) {
  return useBookingMutation((wholeSeries: boolean) =>
    api.delete(`${bookingUrl(id)}/move`, { query: wholeSeries ? { wholeSeries } : {} }),
  );
}
