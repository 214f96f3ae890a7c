import { api } from "@/lib/api-client";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Withdraw an open need. */
export function useWithdrawNeed() {
  return useNeedMutation((id: string) =>
    api.POST("/needs/{need_id}/withdrawal", { params: { path: { need_id: id } } }),
  );
}
