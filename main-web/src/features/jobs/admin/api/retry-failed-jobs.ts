import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

/** Queue a task's failed jobs again; resolves with their number. */
export function useRetryFailedJobs() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (task: string) => api.POST("/admin/failed-jobs/{task}/retries", { params: { path: { task } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
