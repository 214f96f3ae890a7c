import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { guruReviewsKey } from "../api/get-guru-reviews";

/** Run a request that changes reviews, and load all of them again. */
export function useGuruReviewMutation<Variables>(mutationFn: (variables: Variables) => Promise<unknown>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: guruReviewsKey(userId) }),
  });
}
