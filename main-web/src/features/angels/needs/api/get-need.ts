import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { needsKey } from "../lib/needs-key";

export const needQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...needsKey(userId), "one", id],
    queryFn: ({ signal }) => api.GET("/needs/{need_id}", { params: { path: { need_id: id } }, signal }),
    staleTime: 0,
  });

/** Get one need; its owner also gets its offers. */
export function useNeed(id: string) {
  return useQuery(needQuery(useCurrentUserId(), id));
}
