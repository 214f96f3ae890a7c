import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { needsKey } from "../lib/needs-key";

export const ownOffersQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: [...needsKey(userId), "offers"],
    queryFn: ({ signal, pageParam }) => api.GET("/need-offers", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  });

/** List the offers of help that the signed-in user made. */
export function useOwnOffers() {
  const userId = useCurrentUserId();
  return useInfiniteQuery(ownOffersQuery(userId));
}
