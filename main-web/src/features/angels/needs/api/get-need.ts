import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { needsKey } from "../lib/needs-key";
import type { NeedData } from "../lib/types";

export const needQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...needsKey(userId), "one", id],
    queryFn: ({ signal }) => api.get<NeedData>(`/needs/${encodeURIComponent(id)}`, { signal }),
    staleTime: 0,
  });

/** Get one need; its owner also gets its offers. */
export function useNeed(id: string) {
  return useQuery(needQuery(useCurrentUserId(), id));
}
