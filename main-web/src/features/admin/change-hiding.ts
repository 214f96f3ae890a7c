import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";

type Change = { hide: true; reason: string } | { hide: false };

/** Hides a listing, or shows it again. */
export function useChangeHiding(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) =>
      change.hide
        ? api.post(`/admin/listings/${id}/hiding`, { body: { reason: change.reason } })
        : api.delete(`/admin/listings/${id}/hiding`),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN] }),
  });
}
