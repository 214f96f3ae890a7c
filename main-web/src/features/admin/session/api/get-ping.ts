import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";

/** The session of signed-in staff; fails for others (SPEC 7.2). Never cached: another tab may have signed out. */
export const pingQuery = queryOptions({
  queryKey: [ADMIN_KEY, "ping"],
  queryFn: ({ signal }) => api.GET("/admin/ping", { signal }),
  staleTime: 0,
  gcTime: 0,
});
