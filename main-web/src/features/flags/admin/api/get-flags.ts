import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY, logFailure } from "@/features/admin/contract";

const flagsQuery = queryOptions({
  queryKey: [ADMIN_KEY, "flags"],
  queryFn: ({ signal }) => logFailure("The feature flags", api.GET("/feature-flags/admin", { signal })),
  select: ({ flags, unread }) =>
    Object.entries(flags).map(([name, enabled]) => ({ name, enabled, isRead: !unread.includes(name) })),
});

/** Get every feature flag, and whether something reads it. */
export function useAdminFlags() {
  return useQuery(flagsQuery);
}
