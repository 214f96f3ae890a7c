import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type Notification = components["schemas"]["NotificationItem"];

export const notificationsQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ["notifications", userId],
    queryFn: ({ signal, pageParam }) => api.GET("/notifications", { params: { query: { before: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => (page.hasMore ? (page.items.at(-1)?.id ?? null) : null),
    staleTime: 0,
  });

/** List the user's notifications, the newest first, a page at a time. */
export function useNotifications() {
  return useInfiniteQuery(notificationsQuery(useCurrentUserId()));
}
