import { api } from "@/lib/api-client";
import type { NeedData } from "../lib/types";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Offer help with a need. */
export function useCreateOffer() {
  return useNeedMutation(({ id, ...body }: { id: string; priceCents: number; message: string }) =>
    api.post<NeedData>(`/needs/${id}/offers`, { body }),
  );
}
