import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

const overviewQuery = queryOptions({
  queryKey: [ADMIN_KEY, "money", "overview"],
  queryFn: ({ signal }) => api.GET("/admin/money/overview", { signal }),
  staleTime: 5_000,
});

/** Get where all money is, and what moved in the last 30 days. */
export function useOverview() {
  return useQuery(overviewQuery);
}
