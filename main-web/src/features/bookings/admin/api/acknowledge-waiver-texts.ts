import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { WAIVER_STATE_KEY } from "./get-waiver-state";

/** Confirm that a lawyer has to review the waiver texts. */
export function useAcknowledgeWaiverTexts() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST("/admin/waivers/acknowledgment"),
    onSuccess: () => queries.invalidateQueries({ queryKey: WAIVER_STATE_KEY }),
  });
}
