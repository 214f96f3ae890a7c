import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { needsKey } from "../lib/needs-key";

export const ownNeedsQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: [...needsKey(userId), "own"],
    queryFn: ({ signal, pageParam }) => api.GET("/own-needs", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  });

/** List the needs of the signed-in user. Disabled while signed out. */
export function useOwnNeeds() {
  const userId = useCurrentUserId();
  return useInfiniteQuery({ ...ownNeedsQuery(userId), enabled: userId !== "" });
}
