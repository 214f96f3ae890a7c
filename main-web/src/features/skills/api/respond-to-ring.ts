import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { RingResponse } from "../lib/types";
import { swapRingsQuery } from "./get-swap-rings";

/** Accept or decline a swap ring. */
export function useRespondToRing(userId: string | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, answer }: { id: string; answer: RingResponse }) =>
      api.POST("/skills/rings/{ring_id}", { params: { path: { ring_id: id } }, body: { answer } }),
    onSuccess: (list) => queries.setQueryData(swapRingsQuery(userId).queryKey, list),
  });
}
