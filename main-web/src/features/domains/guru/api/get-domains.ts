import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

/** The server looks waiting domains and first certificates up by itself; the page shows the result. */
const REFRESH_MS = 30_000;

export const domainsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "domains"],
    queryFn: ({ signal }) => api.GET("/guru/domains", { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.domains.some(({ status, certificateUntil }) => status === "waiting" || certificateUntil === null)
        ? REFRESH_MS
        : false,
  });

/** List the site's custom domains with the records to set. */
export function useDomains() {
  return useQuery(domainsQuery(useConsoleUserId()));
}
