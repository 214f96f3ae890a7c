import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

const MINUTE_MS = 60_000;

export const notificationCountQuery = (userId: string) =>
  queryOptions({
    queryKey: ["notification-count", userId],
    queryFn: ({ signal }) => api.GET("/notification-count", { signal }),
    select: ({ unseen }) => unseen,
    staleTime: 0,
  });

/** Count what the user has not seen: now, when they come back to the tab, and each minute while it is visible. */
export function useNotificationCount() {
  return useQuery({
    ...notificationCountQuery(useCurrentUserId()),
    refetchInterval: MINUTE_MS,
    refetchOnWindowFocus: true,
    retryOnMount: false,
  });
}
