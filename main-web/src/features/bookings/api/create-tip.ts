import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { tipsQuery } from "./get-tips";
import { EMAIL_UNVERIFIED } from "@porchlight/shared/client";

/** Open Stripe's page for a tip. The idempotency key makes repeated attempts count once. */
export function useCreateTip(id: string) {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: ({ amountCents, idempotencyKey }: { amountCents: number; idempotencyKey: string }) =>
      api.POST("/bookings/{booking_id}/tips", {
        params: { path: { booking_id: id } },
        handled: [EMAIL_UNVERIFIED],
        body: { amountCents },
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: tipsQuery(userId, id).queryKey }),
  });
}
