import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const siteQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "site"],
    queryFn: ({ signal }) => api.GET("/guru/site", { signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Get the texts and the theme of the guru's site, never from the cache. */
export function useSite() {
  return useQuery(siteQuery(useConsoleUserId()));
}
