import { api } from "@/lib/api-client";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Offer help with a need. */
export function useCreateOffer() {
  return useNeedMutation(({ id, ...body }: { id: string; priceCents: number; message: string }) =>
    api.POST("/needs/{need_id}/offers", { params: { path: { need_id: id } }, body }),
  );
}
