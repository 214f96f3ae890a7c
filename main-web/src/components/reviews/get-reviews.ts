import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type Review = components["schemas"]["ReviewResponse"];
type ReviewsPage = components["schemas"]["ReviewsData"];

const reviewsQuery = (handle: string) =>
  infiniteQueryOptions({
    queryKey: ["reviews", handle],
    queryFn: ({ signal, pageParam }) =>
      api.get<ReviewsPage>(`/users/${encodeURIComponent(handle)}/reviews`, { signal, query: { cursor: pageParam } }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** List what a neighbor helps with, and the reviews of it, the newest first, a page at a time. */
export function useReviews(handle: string) {
  return useInfiniteQuery(reviewsQuery(handle));
}
