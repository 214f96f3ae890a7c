import { api } from "@/lib/api-client";
import type { NeedData } from "../lib/types";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Withdraw an offer of help. */
export function useDeleteOffer() {
  return useNeedMutation((id: string) => api.delete<NeedData>(`/need-offers/${id}`));
}
