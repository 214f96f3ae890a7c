import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

export const subdomainQuery = (uid: string, name: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "subdomain", name],
    queryFn: ({ signal }) => api.GET("/onboarding/subdomain", { params: { query: { name } }, signal }),
    retry: false,
    gcTime: 0,
  });

/** Check whether a subdomain is free; for "", get a suggestion. */
export function useSubdomainCheck(name: string, enabled = true) {
  return useQuery({ ...subdomainQuery(useCurrentUserId(), name), enabled });
}
