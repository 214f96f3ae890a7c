import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { overviewQuery } from "@/features/console/contract";
import { postsKey } from "../api/get-posts";

/** Run a request that changes a post, and refresh the lists and counts that show it. */
export function usePostMutation<Variables, Result>(mutationFn: (variables: Variables) => Promise<Result>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: postsKey(userId) });
      void queries.invalidateQueries({ queryKey: overviewQuery(userId).queryKey });
    },
  });
}
