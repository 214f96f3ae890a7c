import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

type Change = { hide: true; reason: string } | { hide: false };

/** Hide a listing or show it again. */
export function useUpdateListingVisibility(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) =>
      change.hide
        ? api.POST("/admin/listings/{listing_id}/hiding", {
            params: { path: { listing_id: id } },
            body: { reason: change.reason },
          })
        : api.DELETE("/admin/listings/{listing_id}/hiding", { params: { path: { listing_id: id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
