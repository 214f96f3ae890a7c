import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { messageKeys } from "../lib/query-keys";
import type { Box, Side } from "../lib/types";

/** Get the threads of a box, the one with the newest message first; `fetchNextPage` adds older ones. */
export function useThreads(side: Side, box: Box) {
  const userId = useCurrentUserId();
  return useInfiniteQuery({
    queryKey: messageKeys.threads(userId, side, box),
    queryFn: ({ pageParam, signal }) =>
      api.GET("/messages/threads", { params: { query: { side, box, cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}
