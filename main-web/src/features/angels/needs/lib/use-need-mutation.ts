import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { needQuery } from "../api/get-need";
import { needsKey } from "./needs-key";
import type { NeedData } from "./types";

/** Run a request that returns the changed need, and refresh the lists that show it. */
export function useNeedMutation<Variables>(mutationFn: (variables: Variables) => Promise<NeedData>) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (data) => queries.setQueryData(needQuery(userId, data.need.id).queryKey, data),
    onSettled: () => queries.invalidateQueries({ queryKey: needsKey(userId) }),
  });
}
