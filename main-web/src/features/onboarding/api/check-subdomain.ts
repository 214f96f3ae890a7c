import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { SubdomainCheck } from "../lib/types";

export const subdomainQuery = (uid: string, name: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "subdomain", name],
    queryFn: ({ signal }) => api.get<SubdomainCheck>("/onboarding/subdomain", { query: { name }, signal }),
    retry: false,
    gcTime: 0,
  });

/** Check whether a subdomain is free; for "", get a suggestion. */
export function useSubdomainCheck(name: string, enabled = true) {
  return useQuery({ ...subdomainQuery(useCurrentUserId(), name), enabled });
}
