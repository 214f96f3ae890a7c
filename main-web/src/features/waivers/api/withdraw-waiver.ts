import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownWaiversKey } from "./get-waivers";

/** Withdraw a waiver. The list is loaded again, also after an error. */
export function useWithdrawWaiver(waiverId: string) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.POST("/liability/waivers/{waiver_id}/withdrawal", { params: { path: { waiver_id: waiverId } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ownWaiversKey(userId) }),
  });
}
