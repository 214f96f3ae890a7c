import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";
import type { MoneyFinding } from "../lib/types";

/** Send a refund or a transfer that failed again. */
export function useSendAgain({ kind, stripeId }: MoneyFinding) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      kind === "failed_refund"
        ? api.POST("/admin/money/refunds/{refund_id}/retries", { params: { path: { refund_id: stripeId } } })
        : api.POST("/admin/money/transfers/{payment_id}/retries", { params: { path: { payment_id: stripeId } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
