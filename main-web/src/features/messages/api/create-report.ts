import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

/** Why a conversation is reported. */
export type ReportWords = components["schemas"]["ThreadReportPayload"];
type Report = { threadId: string; reason: ReportWords["reason"]; details: string; idempotencyKey: string };

/** Report a thread to the staff, with its last ten messages. */
export function useReportThread() {
  return useMutation({
    mutationFn: ({ threadId, reason, details, idempotencyKey }: Report) =>
      api.POST("/messages/threads/{thread_id}/reports", {
        params: { path: { thread_id: threadId } },
        body: { reason, details },
        headers: { "Idempotency-Key": idempotencyKey },
      }),
  });
}
