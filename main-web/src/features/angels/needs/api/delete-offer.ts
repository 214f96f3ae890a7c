import { api } from "@/lib/api-client";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Withdraw an offer of help. */
export function useDeleteOffer() {
  return useNeedMutation((id: string) => api.DELETE("/need-offers/{offer_id}", { params: { path: { offer_id: id } } }));
}
