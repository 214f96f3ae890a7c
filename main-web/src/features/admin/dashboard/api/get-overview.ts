import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";

const overviewQuery = queryOptions({
  queryKey: [ADMIN_KEY, "overview"],
  queryFn: ({ signal }) => api.GET("/admin/overview", { signal }),
  staleTime: 5_000,
  refetchInterval: 60_000,
});

/** What waits for staff and what ails. It refreshes every minute. */
export function useOverview() {
  return useQuery(overviewQuery);
}
