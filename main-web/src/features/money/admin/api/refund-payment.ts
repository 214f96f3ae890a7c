import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";
import type { components } from "@porchlight/shared/api.gen";

type Sent = { idempotencyKey: string; refund: components["schemas"]["StaffRefundPayload"] };

/** Return a part of a payment. The idempotency key makes repeated attempts count once. */
export function useRefundPayment(paymentId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey, refund }: Sent) =>
      api.POST("/admin/money/payments/{payment_id}/refunds", {
        params: { path: { payment_id: paymentId } },
        body: refund,
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
