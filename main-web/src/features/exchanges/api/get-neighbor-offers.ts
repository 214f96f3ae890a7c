import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { exchangesKey } from "../lib/query-keys";

/** List what a neighbor teaches. Disabled without a handle. */
export function useNeighborOffers(handle: string) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: [...exchangesKey(userId), "offers", handle],
    queryFn: ({ signal }) => api.GET("/exchanges/offers", { params: { query: { handle } }, signal }),
    staleTime: 0,
    enabled: userId !== "" && handle !== "",
  });
}
