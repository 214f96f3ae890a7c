import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import { logFailure } from "../../lib/log-failure";
import type { components } from "@porchlight/shared/api.gen";

type Flags = components["schemas"]["AdminFlagsResponse"];

const flagsQuery = queryOptions({
  queryKey: [ADMIN_KEY, "flags"],
  queryFn: ({ signal }) => logFailure("The feature flags", api.get<Flags>("/feature-flags/admin", { signal })),
  select: ({ flags, unread }) =>
    Object.entries(flags).map(([name, enabled]) => ({ name, enabled, isRead: !unread.includes(name) })),
});

/** Get every feature flag, and whether something reads it. */
export function useAdminFlags() {
  return useQuery(flagsQuery);
}
