import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { useBookingMutation } from "../lib/use-booking-mutation";

/**
 * Accept the time that the guru proposes, or cancel for free. `startsAt` is the proposed start that the user saw;
 * `wholeSeries` answers all open proposals for its series.
 */
export function useAnswerProposal(id: string) {
  return useBookingMutation((body: { accept: boolean; startsAt: string; reason: string; wholeSeries: boolean }) =>
    api.post<Booking>(`/bookings/${id}/answers`, { body }),
  );
}
