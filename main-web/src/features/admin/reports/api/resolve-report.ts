import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { ReportDetail } from "../../lib/types";

export type Resolution = { outcome: "acted" | "dismissed"; note: string };

/** Resolve a report. */
export function useResolveReport(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Resolution) => api.post<ReportDetail>(`/admin/reports/${id}/resolution`, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
