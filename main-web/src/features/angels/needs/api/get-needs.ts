import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { needsKey } from "../lib/needs-key";

type NeedFilters = { service: string; fitting: boolean };

export const needsQuery = (userId: string, filters: NeedFilters) =>
  infiniteQueryOptions({
    queryKey: [...needsKey(userId), "board", filters],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/needs", { params: { query: { ...filters, cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  });

/** List the open needs of other users, newest first. */
export function useNeeds(filters: NeedFilters) {
  const userId = useCurrentUserId();
  return useInfiniteQuery(needsQuery(userId, filters));
}
