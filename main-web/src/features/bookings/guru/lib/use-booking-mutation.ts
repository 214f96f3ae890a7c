import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "../api/get-bookings";

/** Run a request that changes bookings, and load all of them again: also after an error, the booking may have changed. */
export function useBookingMutation<Variables>(mutationFn: (variables: Variables) => Promise<unknown>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: bookingsKey(userId) }),
  });
}
