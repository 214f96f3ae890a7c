import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import {
  sessionReviewsKey,
  sessionReviewsQuery,
  type ReviewedId,
  type SessionReviews,
} from "../api/get-session-reviews";

/** Run a request that returns the reviews of a session, and load all of the reader's again: others may be out by now. */
export function useReviewMutation<Variables>(
  reviewed: ReviewedId,
  mutationFn: (variables: Variables) => Promise<SessionReviews>,
) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (reviews) => queries.setQueryData(sessionReviewsQuery(userId, reviewed).queryKey, reviews),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionReviewsKey(reviewed.link ?? userId) }),
  });
}
