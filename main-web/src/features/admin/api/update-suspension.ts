import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../lib/query-keys";

type Change = { suspend: true; reason: string } | { suspend: false };

/** Suspend or restore a user or a site. */
export function useUpdateSuspension(path: `users/${string}` | `sites/${string}`) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) =>
      change.suspend
        ? api.post(`/admin/${path}/suspension`, { body: { reason: change.reason } })
        : api.delete(`/admin/${path}/suspension`),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
