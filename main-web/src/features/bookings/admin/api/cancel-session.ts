import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

/** Cancel a session for the guru and the person. After an error, too, the list is loaded again. */
export function useCancelSession(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      api.POST("/admin/sessions/{booking_id}/cancellation", { params: { path: { booking_id: id } }, body: { reason } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
