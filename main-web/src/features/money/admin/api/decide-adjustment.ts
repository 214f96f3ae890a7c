import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

/** Approve or reject a correction of the books. */
export function useDecideAdjustment() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, approve }: { id: string; approve: boolean }) =>
      api.PUT("/admin/money/adjustments/{adjustment_id}/decision", {
        params: { path: { adjustment_id: id } },
        body: { approve },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
