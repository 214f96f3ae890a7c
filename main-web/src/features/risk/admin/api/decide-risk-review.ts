import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";
import type { RiskDecision } from "../lib/types";

/** Decide the risk level of an activity. After a conflict, the colleague's decision is shown. */
export function useDecideRiskReview(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RiskDecision) =>
      api.PUT("/admin/risk-reviews/{review_id}/decision", { params: { path: { review_id: id } }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
