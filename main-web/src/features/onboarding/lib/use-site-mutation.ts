import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { Published } from "./types";

/** Run a request that changes the user's site, and reload the wizard and what other pages know about the site. */
export function useSiteMutation<Variables>(mutationFn: (variables: Variables) => Promise<Published>) {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn,
    // Also after an error: something may have changed since the last load.
    onSettled: () =>
      Promise.all(["onboarding", "guru"].map((part) => queries.invalidateQueries({ queryKey: [part, userId] }))),
  });
}
