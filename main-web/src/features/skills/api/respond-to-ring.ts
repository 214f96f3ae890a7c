import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { RingResponse, SwapRingList } from "../lib/types";
import { swapRingsQuery } from "./get-swap-rings";

/** Accept or decline a swap ring. */
export function useRespondToRing(userId: string | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, answer }: { id: string; answer: RingResponse }) =>
      api.post<SwapRingList>(`/skills/rings/${encodeURIComponent(id)}`, { body: { answer } }),
    onSuccess: (list) => queries.setQueryData(swapRingsQuery(userId).queryKey, list),
  });
}
