import { api } from "@/lib/api-client";
import { useGuruReviewMutation } from "../lib/use-guru-review-mutation";

/** Reply to a review of the guru's sessions. */
export function useReplyToReview() {
  return useGuruReviewMutation(({ id, body }: { id: string; body: string }) =>
    api.PUT("/guru/reviews/{review_id}/reply", { params: { path: { review_id: id } }, body: { body } }),
  );
}
