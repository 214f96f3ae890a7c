import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { exchangesKey } from "../lib/query-keys";

/** Get the listing that a session is asked about, and whether the user can ask. */
export function useExchangeOffer(id: string) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: [...exchangesKey(userId), "offer", id],
    queryFn: ({ signal }) => api.GET("/exchanges/offers/{offer_id}", { params: { path: { offer_id: id } }, signal }),
    staleTime: 0,
    enabled: userId !== "",
  });
}
