import { api } from "@/lib/api-client";
import type { NeedData } from "../lib/types";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Withdraw an open need. */
export function useWithdrawNeed() {
  return useNeedMutation((id: string) => api.post<NeedData>(`/needs/${id}/withdrawal`));
}
