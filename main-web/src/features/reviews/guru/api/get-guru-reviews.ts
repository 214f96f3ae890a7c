import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type GuruReview = components["schemas"]["GuruReview"];

/** The key of all that the guru sees of reviews. */
export const guruReviewsKey = (userId: string) => ["guru", userId, "reviews"];

const guruReviewsQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: [...guruReviewsKey(userId), "list"],
    queryFn: ({ signal, pageParam }) => api.GET("/guru/reviews", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });

/** List the revealed reviews of the guru's sessions, the latest first, a page at a time. */
export function useGuruReviews() {
  return useInfiniteQuery(guruReviewsQuery(useConsoleUserId()));
}
