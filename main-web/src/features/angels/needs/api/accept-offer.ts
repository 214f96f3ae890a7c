import { api } from "@/lib/api-client";
import type { NeedData } from "../lib/types";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Accept an offer of help. */
export function useAcceptOffer() {
  return useNeedMutation(({ id, offerId }: { id: string; offerId: string }) =>
    api.post<NeedData>(`/needs/${id}/acceptance`, { body: { offerId } }),
  );
}
