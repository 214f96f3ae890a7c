import { api } from "@/lib/api-client";

/** Mark the messages of a thread up to a number as read. */
export function updateRead(threadId: string, number: number) {
  return api.PUT("/messages/threads/{thread_id}/read", {
    params: { path: { thread_id: threadId } },
    body: { number },
  });
}
