import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";
import type { AdjustmentPayload } from "../lib/types";

/** Request a correction of the books. */
export function useCreateAdjustment() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AdjustmentPayload) => api.POST("/admin/money/adjustments", { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}
