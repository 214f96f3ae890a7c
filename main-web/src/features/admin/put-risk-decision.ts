import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import type { RiskDecision, RiskReviewDetail } from "./types";

/** Decides how risky an activity is. A refusal shows what a colleague decided meanwhile. */
export function useDecideRisk(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RiskDecision) => api.put<RiskReviewDetail>(`/admin/risk-reviews/${id}/decision`, { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN] }),
  });
}
