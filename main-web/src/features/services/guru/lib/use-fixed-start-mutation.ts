import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { fixedStartsQuery, type FixedStartList } from "../api/get-fixed-starts";

/** Run a request that returns the changed list of a service's fixed starts. */
export function useFixedStartMutation<Variables>(
  serviceId: string,
  mutationFn: (variables: Variables) => Promise<FixedStartList>,
) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  const { queryKey } = fixedStartsQuery(userId, serviceId);
  return useMutation({
    mutationFn,
    onSuccess: (list) => queries.setQueryData(queryKey, list),
    // A request fails when a neighbor booked in the meantime: load the list again.
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}
