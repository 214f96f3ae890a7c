import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

export type Resolution = { outcome: "acted" | "dismissed"; note: string };

/** Resolve a report. */
export function useResolveReport(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Resolution) =>
      api.POST("/admin/reports/{report_id}/resolution", { params: { path: { report_id: id } }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
