import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

/** Process a failed event of Stripe again. */
export function useRetryEvent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.POST("/admin/money/events/{event_id}/retries", { params: { path: { event_id: id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
