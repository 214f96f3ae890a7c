import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

export const quoteQuery = (uid: string, amountCents: number) =>
  queryOptions({
    queryKey: ["payouts", uid, "quote", amountCents],
    queryFn: ({ signal }) => api.GET("/payouts/quote", { params: { query: { amountCents } }, signal }),
    staleTime: 0,
    retry: false,
  });

/** Get what an instant payout takes, fee included; null asks for nothing. */
export function useQuote(amountCents: number | null) {
  return useQuery({
    ...quoteQuery(useCurrentUserId(), amountCents ?? 0),
    enabled: amountCents !== null,
    placeholderData: keepPreviousData,
  });
}
