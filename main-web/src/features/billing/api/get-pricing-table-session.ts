import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/** A session is valid for half an hour. */
const REFRESH_MS = 20 * 60_000;

const sessionQuery = (uid: string, enabled: boolean) =>
  queryOptions({
    queryKey: ["billing", uid, "pricing-table"],
    queryFn: () => api.POST("/billing/pricing-table-session", { timeout: 15_000 }),
    enabled,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    retry: false,
  });

/** Get what ties a purchase in the pricing table to the user. */
export function usePricingTableSession(uid: string, enabled: boolean) {
  return useQuery(sessionQuery(uid, enabled));
}
