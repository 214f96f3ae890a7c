import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { messageKeys } from "../lib/query-keys";

/** Get a thread as the reader sees it: the other side, and whether one can write. */
export function useThread(id: string) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: messageKeys.thread(userId, id),
    queryFn: ({ signal }) => api.GET("/messages/threads/{thread_id}", { params: { path: { thread_id: id } }, signal }),
  });
}
