import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { BookedSessionDetail } from "../../lib/types";

/** Cancel a session for the guru and the person. After an error, too, the list is loaded again. */
export function useCancelSession(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      api.post<BookedSessionDetail>(`/admin/sessions/${id}/cancellation`, { body: { reason } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
