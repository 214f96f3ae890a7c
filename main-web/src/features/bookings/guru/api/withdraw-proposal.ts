import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Withdraw the open proposal of another time, or those for the whole series. */
export function useWithdrawProposal(id: string) {
  return useBookingMutation((wholeSeries: boolean) =>
    api.DELETE("/guru/bookings/{booking_id}/move", {
      params: { path: { booking_id: id }, query: wholeSeries ? { wholeSeries } : {} },
    }),
  );
}
