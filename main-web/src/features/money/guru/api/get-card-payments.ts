import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

const cardPaymentsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "card-payments"],
    queryFn: ({ signal }) => api.GET("/guru/card-payments", { signal }),
    staleTime: 0, // the plan or the payout account may have changed in another tab
  });

/** Get whether the guru can take cards, and what the platform keeps of a price. */
export function useCardPayments() {
  return useQuery(cardPaymentsQuery(useConsoleUserId()));
}
