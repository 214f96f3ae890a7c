import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

/** A new calendar is read within seconds. */
const REFRESH_NEW_MS = 2_000;
const REFRESH_MS = 60_000;

export const busySourcesQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "busy-sources"],
    queryFn: ({ signal }) => api.GET("/guru/busy-sources", { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.sources.some((source) => source.state === "new") ? REFRESH_NEW_MS : REFRESH_MS,
  });

/** List the connected calendars, and how each is doing. */
export function useBusySources() {
  return useQuery(busySourcesQuery(useConsoleUserId()));
}
