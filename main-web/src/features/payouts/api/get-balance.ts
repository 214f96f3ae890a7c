import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

export const balanceQuery = (uid: string) =>
  queryOptions({
    queryKey: ["payouts", uid, "balance"],
    queryFn: ({ signal }) => api.GET("/payouts/balance", { signal }),
    staleTime: 0,
  });

/** Get the balance, and the instant payout that it allows (SPEC 7.2). */
export function useBalance() {
  return useQuery(balanceQuery(useCurrentUserId()));
}
