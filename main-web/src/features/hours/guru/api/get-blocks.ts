import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { BlockedTime } from "../lib/types";

export type BlockList = { blocks: BlockedTime[] };

export const blocksQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "blocks"],
    queryFn: ({ signal }) => api.GET("/guru/blocks", { signal }),
    staleTime: 0,
  });

/** List the blocked times that have not ended. */
export function useBlocks() {
  return useQuery(blocksQuery(useConsoleUserId()));
}
