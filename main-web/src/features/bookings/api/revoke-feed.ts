import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { feedsQuery } from "./get-feeds";

/** Revoke a calendar link. */
export function useRevokeFeed() {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE("/calendar-feeds/{feed_id}", { params: { path: { feed_id: id } } }),
    onSuccess: (list) => queries.setQueryData(feedsQuery(userId).queryKey, list),
  });
}
