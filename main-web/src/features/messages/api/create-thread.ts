import { api } from "@/lib/api-client";
import type { Recipient } from "../lib/types";

/** Send the first message to someone. The idempotency key makes repeated attempts count once. */
export function createThread(to: Recipient, body: string, fileIds: string[], idempotencyKey: string) {
  return api.POST("/messages/threads", {
    body: { to, body, fileIds },
    headers: { "Idempotency-Key": idempotencyKey },
  });
}
