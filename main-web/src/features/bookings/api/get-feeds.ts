import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type CalendarFeed = components["schemas"]["CalendarFeedData"];

export const feedsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["calendar-feeds", userId],
    queryFn: ({ signal }) => api.GET("/calendar-feeds", { signal }),
    staleTime: 0,
  });

/** List the user's calendar links, without their addresses. */
export function useFeeds() {
  return useQuery(feedsQuery(useCurrentUserId()));
}
