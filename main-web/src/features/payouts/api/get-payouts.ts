import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

export const payoutsQuery = (uid: string) =>
  infiniteQueryOptions({
    queryKey: ["payouts", uid, "history"],
    queryFn: ({ pageParam, signal }) => api.GET("/payouts", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    staleTime: 0,
  });

/** List the payouts, newest first, a page at a time. */
export function usePayouts() {
  return useInfiniteQuery(payoutsQuery(useCurrentUserId()));
}
