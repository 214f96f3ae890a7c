import { api } from "@/lib/api-client";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Accept an offer of help. */
export function useAcceptOffer() {
  return useNeedMutation(({ id, offerId }: { id: string; offerId: string }) =>
    api.POST("/needs/{need_id}/acceptance", { params: { path: { need_id: id } }, body: { offerId } }),
  );
}
