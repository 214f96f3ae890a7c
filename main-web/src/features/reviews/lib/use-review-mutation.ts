import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { sessionReviewsKey, sessionReviewsQuery, type SessionReviews } from "../api/get-session-reviews";

/** Run a request that returns the reviews of a session, and load all of the user's again: others may be out by now. */
export function useReviewMutation<Variables>(
  id: string,
  mutationFn: (variables: Variables) => Promise<SessionReviews>,
) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (reviews) => queries.setQueryData(sessionReviewsQuery(userId, id).queryKey, reviews),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionReviewsKey(userId) }),
  });
}
