import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { Adjustment } from "../../lib/types";

/** Approve or reject a correction of the books. */
export function useDecideAdjustment() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, approve }: { id: string; approve: boolean }) =>
      api.put<Adjustment>(`/admin/money/adjustments/${id}/decision`, { body: { approve } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
