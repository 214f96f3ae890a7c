import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

/** Close a finding with a note. */
export function useExplainFinding(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (note: string) =>
      api.PUT("/admin/money/findings/{finding_id}/explanation", {
        params: { path: { finding_id: id } },
        body: { note },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
