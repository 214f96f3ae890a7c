import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";

type Change = { hide: true; reason: string } | { hide: false };

/** Hide a listing or show it again. */
export function useUpdateListingVisibility(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) =>
      change.hide
        ? api.post(`/admin/listings/${id}/hiding`, { body: { reason: change.reason } })
        : api.delete(`/admin/listings/${id}/hiding`),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
