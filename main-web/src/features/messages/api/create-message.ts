import { api } from "@/lib/api-client";

/** Send a message in a thread. The idempotency key makes repeated attempts count once. */
export function createMessage(threadId: string, body: string, fileIds: string[], idempotencyKey: string) {
  return api.POST("/messages/threads/{thread_id}/messages", {
    params: { path: { thread_id: threadId } },
    body: { body, fileIds },
    headers: { "Idempotency-Key": idempotencyKey },
  });
}
