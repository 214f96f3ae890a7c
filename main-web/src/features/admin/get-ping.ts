import { queryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";

/** OK means that staff are signed in (SPEC 7.2). Asked on every arrival: another tab may have signed out. */
export const pingQuery = queryOptions({
  queryKey: [ADMIN, "ping"],
  queryFn: ({ signal }) => api.get("/admin/ping", { signal }).then(() => true),
  staleTime: 0,
  gcTime: 0,
});
