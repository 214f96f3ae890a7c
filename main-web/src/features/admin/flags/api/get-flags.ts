import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import { logFailure } from "../../lib/log-failure";

type Flags = { flags: Record<string, boolean> };

const flagsQuery = queryOptions({
  queryKey: [ADMIN_KEY, "flags"],
  queryFn: ({ signal }) => logFailure("The feature flags", api.get<Flags>("/feature-flags/admin", { signal })),
  select: ({ flags }) => Object.entries(flags),
});

/** Get every feature flag by name. */
export function useAdminFlags() {
  return useQuery(flagsQuery);
}
