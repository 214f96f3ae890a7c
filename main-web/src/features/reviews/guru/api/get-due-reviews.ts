import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { guruReviewsKey } from "./get-guru-reviews";
import type { components } from "@porchlight/shared/api.gen";

export type DueReview = components["schemas"]["DueReview"];

const dueReviewsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...guruReviewsKey(userId), "due"],
    queryFn: ({ signal }) => api.GET("/guru/reviews/due", { signal }),
    staleTime: 0,
  });

/** List the sessions whose persons the guru can review. */
export function useDueReviews() {
  return useQuery(dueReviewsQuery(useConsoleUserId()));
}
