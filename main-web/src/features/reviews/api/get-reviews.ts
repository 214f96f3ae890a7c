import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type Review = components["schemas"]["ReviewResponse"];

const reviewsQuery = (handle: string) =>
  infiniteQueryOptions({
    queryKey: ["reviews", handle],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/users/{handle}/reviews", { params: { path: { handle }, query: { cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** List what a neighbor helps with, and the reviews of it, the newest first, a page at a time. */
export function useReviews(handle: string) {
  return useInfiniteQuery(reviewsQuery(handle));
}
