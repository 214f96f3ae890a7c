import { api } from "@/lib/api-client";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Mark a need as done, with an optional rating and review of the angel. */
export function useCompleteNeed() {
  return useNeedMutation(({ id, ...body }: { id: string; rating: number | null; review: string }) =>
    api.POST("/needs/{need_id}/completion", { params: { path: { need_id: id } }, body }),
  );
}
