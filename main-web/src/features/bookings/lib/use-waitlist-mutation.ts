import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "../api/get-own-bookings";

/**
 * Run a request about a place on a waitlist. Everything that shows places is loaded again, also after an error: it
 * often means that the session changed meanwhile.
 */
export function useWaitlistMutation<Result, Variables = void>(mutationFn: (variables: Variables) => Promise<Result>) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: ownBookingsKey(userId) }),
  });
}
