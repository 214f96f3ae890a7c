import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const feeQuery = (userId: string, priceCents: number) =>
  queryOptions({
    queryKey: ["guru", userId, "fee", priceCents],
    queryFn: ({ signal }) => api.GET("/guru/fee", { params: { query: { priceCents } }, signal }),
    staleTime: 60_000,
  });

/** Get the platform's fee on a price by the guru's plan. The previous price's fee stays until the next one is here. */
export function useFee(priceCents: number) {
  return useQuery({ ...feeQuery(useConsoleUserId(), priceCents), placeholderData: keepPreviousData });
}
