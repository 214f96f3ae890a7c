import { api } from "@/lib/api-client";
import { useLeadMutation } from "../lib/use-lead-mutation";

/**
 * Email a reply to a lead.
 * The idempotency key is the same for every attempt at the same text, so that the reply is sent once.
 */
export function useReplyToLead(id: string) {
  return useLeadMutation(id, ({ body, idempotencyKey }: { body: string; idempotencyKey: string }) =>
    api.POST("/guru/leads/{lead_id}/answers", {
      params: { path: { lead_id: id } },
      body: { body },
      headers: { "Idempotency-Key": idempotencyKey },
    }),
  );
}
