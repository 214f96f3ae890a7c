import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import type { ReportDetail } from "./types";

export type Resolution = { outcome: "acted" | "dismissed"; note: string };

/** Settles a report, once. */
export function useResolve(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Resolution) => api.post<ReportDetail>(`/admin/reports/${id}/resolution`, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN] }),
  });
}
