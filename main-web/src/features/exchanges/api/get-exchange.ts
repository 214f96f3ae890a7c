import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { exchangesKey } from "../lib/query-keys";

export const exchangeQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...exchangesKey(userId), "one", id],
    queryFn: ({ signal }) => api.GET("/exchanges/{exchange_id}", { params: { path: { exchange_id: id } }, signal }),
    staleTime: 0,
    enabled: userId !== "",
  });

/** Get a session that the signed-in user arranges with a neighbor. */
export function useExchange(id: string) {
  return useQuery(exchangeQuery(useCurrentUserId(), id));
}
