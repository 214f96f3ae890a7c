import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type Topic = components["schemas"]["EmailSettingItem"];
export type MailMode = Topic["mail"];

const topicsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["notification-topics", userId],
    queryFn: ({ signal }) => api.GET("/email-settings", { signal }),
    select: ({ settings }) => settings,
  });

/** List the kinds of notifications with how each reaches the user. */
export function useTopics() {
  return useQuery(topicsQuery(useCurrentUserId()));
}

/** Change how a kind reaches the user. */
export function useUpdateTopic() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: (body: components["schemas"]["TopicPayload"]) => api.PUT("/email-settings", { body }),
    onSuccess: (settings) => queries.setQueryData(topicsQuery(userId).queryKey, settings),
  });
}
