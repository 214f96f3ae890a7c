import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import { logged } from "./logged";
import type { Dashboard } from "./types";

const dashboardQuery = queryOptions({
  queryKey: [ADMIN, "dashboard"],
  queryFn: ({ signal }) => logged("The counters", api.get<Dashboard>("/admin/dashboard", { signal })),
  staleTime: 5_000,
});

export function useDashboard() {
  return useQuery(dashboardQuery);
}
