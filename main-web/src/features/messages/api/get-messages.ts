import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { messageKeys } from "../lib/query-keys";
import type { MessagePage } from "../lib/types";

/** Get the messages of a thread, the newest page first; `fetchNextPage` adds earlier ones. */
export function useMessages(threadId: string) {
  const userId = useCurrentUserId();
  return useInfiniteQuery({
    queryKey: messageKeys.texts(userId, threadId),
    queryFn: ({ pageParam, signal }) =>
      api.GET("/messages/threads/{thread_id}/messages", {
        params: { path: { thread_id: threadId }, query: { before: pageParam } },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page: MessagePage) => (page.hasEarlier ? firstNumber(page) : undefined),
  });
}

/** The number of a page's first text; that of an event is the one of the text before it. */
const firstNumber = ({ messages }: MessagePage) =>
  messages.find(({ kind }) => kind === "text")?.number ?? messages[0]?.number;
