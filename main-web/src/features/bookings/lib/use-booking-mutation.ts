import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingQuery } from "../api/get-own-booking";
import { ownBookingsKey } from "../api/get-own-bookings";
import type { Booking } from "./own-booking";

/**
 * Run a request that returns the changed session. Everything that shows sessions is loaded again, also after an error:
 * it often means that the session or its terms changed meanwhile.
 */
export function useBookingMutation<Variables>(mutationFn: (variables: Variables) => Promise<Booking>) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (booking) => queries.setQueryData(ownBookingQuery(userId, booking.id).queryKey, booking),
    onSettled: () => queries.invalidateQueries({ queryKey: ownBookingsKey(userId) }),
  });
}
