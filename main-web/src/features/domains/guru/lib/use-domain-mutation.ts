import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "@/lib/use-console-user-id";

/**
 * Run a request that changes a domain, then load the list and what else names the site's address. It succeeds when they
 * are loaded.
 */
export function useDomainMutation<Result, Input = string>(mutationFn: (input: Input) => Promise<Result>) {
  const queryKey = ["guru", useConsoleUserId()];
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey }) });
}
