import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { MoneyFinding } from "../../lib/types";

/** Close a finding with a note. */
export function useExplainFinding(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (note: string) => api.put<MoneyFinding>(`/admin/money/findings/${id}/explanation`, { body: { note } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
