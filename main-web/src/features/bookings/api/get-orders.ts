import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { POLL_INTERVAL_MS } from "../lib/poll-interval";
import type { components } from "@porchlight/shared/api.gen";

export type Order = components["schemas"]["OrderData"];

const ordersQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ["orders", userId],
    queryFn: ({ signal, pageParam }) => api.GET("/orders", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  });

/** List what the signed-in user paid by card, the latest first, a page at a time. */
export function useOrders() {
  const userId = useCurrentUserId();
  return useInfiniteQuery({
    ...ordersQuery(userId),
    enabled: userId !== "",
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.orders.some((order) => order.state === "charging"))
        ? POLL_INTERVAL_MS
        : false,
  });
}
