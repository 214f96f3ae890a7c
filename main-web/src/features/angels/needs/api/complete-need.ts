import { api } from "@/lib/api-client";
import type { NeedData } from "../lib/types";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Mark a need as done, with an optional rating and review of the angel. */
export function useCompleteNeed() {
  return useNeedMutation(({ id, ...body }: { id: string; rating: number | null; review: string }) =>
    api.post<NeedData>(`/needs/${id}/completion`, { body }),
  );
}
