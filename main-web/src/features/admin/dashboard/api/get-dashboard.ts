import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import { logFailure } from "../../lib/log-failure";

const dashboardQuery = queryOptions({
  queryKey: [ADMIN_KEY, "dashboard"],
  queryFn: ({ signal }) => logFailure("The counters", api.GET("/admin/dashboard", { signal })),
  staleTime: 5_000,
});

export function useDashboard() {
  return useQuery(dashboardQuery);
}
