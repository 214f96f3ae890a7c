import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

const summaryQuery = queryOptions({
  queryKey: [ADMIN_KEY, "money"],
  queryFn: ({ signal }) => api.GET("/admin/money", { signal }),
  staleTime: 5_000,
  refetchInterval: 60_000,
});

/** Whether the books match Stripe, and what waits. It refreshes every minute. */
export function useSummary() {
  return useQuery(summaryQuery);
}
