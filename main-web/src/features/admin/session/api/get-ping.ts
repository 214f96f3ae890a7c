import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";

/** Succeeds while staff are signed in (SPEC 7.2). Never cached: another tab may have signed out. */
export const pingQuery = queryOptions({
  queryKey: [ADMIN_KEY, "ping"],
  queryFn: ({ signal }) => api.get("/admin/ping", { signal }).then(() => true),
  staleTime: 0,
  gcTime: 0,
});
