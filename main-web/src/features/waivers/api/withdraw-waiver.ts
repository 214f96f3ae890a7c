import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownWaiversKey, type Waiver } from "./get-waivers";

/** Withdraw a waiver. The list is loaded again, also after an error. */
export function useWithdrawWaiver(waiverId: string) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.post<Waiver>(`/liability/waivers/${waiverId}/withdrawal`),
    onSettled: () => queries.invalidateQueries({ queryKey: ownWaiversKey(userId) }),
  });
}
