import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/**
 * Accept the time that the guru proposes, or cancel for free. `startsAt` is the proposed start that the user saw;
 * `wholeSeries` answers all open proposals for its series.
 */
export function useAnswerProposal(id: string) {
  return useBookingMutation((body: { accept: boolean; startsAt: string; reason: string; wholeSeries: boolean }) =>
    api.POST("/bookings/{booking_id}/answers", { params: { path: { booking_id: id } }, body }),
  );
}
