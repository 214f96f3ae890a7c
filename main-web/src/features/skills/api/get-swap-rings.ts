import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export const swapRingsQuery = (userId: string | null) =>
  queryOptions({
    queryKey: ["skills", "rings", userId],
    queryFn: ({ signal }) => api.GET("/skills/rings", { signal }),
  });

/** List the swap rings that the user is a member of or was asked to join. */
export function useSwapRings(userId: string | null) {
  return useQuery({ ...swapRingsQuery(userId), enabled: userId !== null });
}
