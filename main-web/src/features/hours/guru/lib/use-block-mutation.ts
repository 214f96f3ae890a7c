import { useMutation, useQueryClient } from "@tanstack/react-query";
import { SLOTS_KEY } from "@/features/bookings/contract";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { blocksQuery, type BlockList } from "../api/get-blocks";

/** Run a request that returns the changed list of blocked times. */
export function useBlockMutation<Variables>(mutationFn: (variables: Variables) => Promise<BlockList>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (list) => {
      queries.setQueryData(blocksQuery(userId).queryKey, list);
      void queries.invalidateQueries({ queryKey: SLOTS_KEY });
    },
  });
}
