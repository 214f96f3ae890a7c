import { useMutation, useQueryClient } from "@tanstack/react-query";
import { bookingsKey, SLOTS_KEY } from "@/features/bookings/contract";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { blocksQuery, type BlockList } from "../api/get-blocks";

/** Run a request that returns the changed list of blocked times. The calendar's weeks show them, too. */
export function useBlockMutation<Variables>(mutationFn: (variables: Variables) => Promise<BlockList>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (list) => {
      queries.setQueryData(blocksQuery(userId).queryKey, list);
      void queries.invalidateQueries({ queryKey: SLOTS_KEY });
      void queries.invalidateQueries({ queryKey: bookingsKey(userId) });
    },
  });
}
