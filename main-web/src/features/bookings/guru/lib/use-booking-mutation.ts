import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "../api/get-bookings";
import { packagesKey } from "../packages/packages-key";

/** Run a request that changes bookings. Load all of them and the packages that they use again, also after an error. */
export function useBookingMutation<Variables>(mutationFn: (variables: Variables) => Promise<unknown>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: bookingsKey(userId) }),
        queries.invalidateQueries({ queryKey: packagesKey(userId) }),
      ]),
  });
}
