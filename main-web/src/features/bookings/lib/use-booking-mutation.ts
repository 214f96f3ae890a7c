import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { bookedKey } from "../api/get-booked";
import { bookingQuery } from "../api/get-booking";
import { ownBookingsKey } from "../api/get-own-bookings";
import type { OwnBooking } from "./types";

/**
 * Run a request that returns the changed session. Everything that shows sessions is loaded again, also after an error:
 * it often means that the session or its terms changed meanwhile. `link`: that of a customer without an account.
 */
export function useBookingMutation<Variables>(mutationFn: (variables: Variables) => Promise<OwnBooking>, link?: string) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (booking) =>
      queries.setQueryData(link === undefined ? bookingQuery(userId, booking.id).queryKey : bookedKey(link), booking),
    onSettled: () =>
      queries.invalidateQueries({ queryKey: link === undefined ? ownBookingsKey(userId) : bookedKey(link) }),
  });
}
