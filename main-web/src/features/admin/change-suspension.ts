import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";

type Change = { suspend: true; reason: string } | { suspend: false };

/** Suspends somebody or a site, or restores them. */
export function useChangeSuspension(path: `users/${string}` | `sites/${string}`) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) =>
      change.suspend
        ? api.post(`/admin/${path}/suspension`, { body: { reason: change.reason } })
        : api.delete(`/admin/${path}/suspension`),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN] }),
  });
}
