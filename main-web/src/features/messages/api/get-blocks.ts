import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { messageKeys } from "../lib/query-keys";

/** Get whom the user has blocked. */
export function useBlocks() {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: messageKeys.blocks(userId),
    queryFn: async ({ signal }) => (await api.GET("/blocks", { signal })).blocks,
    staleTime: 0,
  });
}
