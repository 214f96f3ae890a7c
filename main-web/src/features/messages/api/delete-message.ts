import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { applyMessages } from "../lib/apply-changes";
import type { Message } from "../lib/types";

/** Remove an own message; "Message removed" stays in its place. */
export function useDeleteMessage() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: ({ threadId, number }: Message) =>
      api.DELETE("/messages/threads/{thread_id}/messages/{number}", {
        params: { path: { thread_id: threadId, number } },
      }),
    onSuccess: (message) => applyMessages(queries, userId, message.threadId, [message]),
  });
}
