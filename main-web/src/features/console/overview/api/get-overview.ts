import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const overviewQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "overview"],
    queryFn: ({ signal }) => api.GET("/guru/overview", { signal }),
    staleTime: 0,
  });

/** Get the statistics and next steps of the guru's site. */
export function useOverview() {
  return useQuery(overviewQuery(useConsoleUserId()));
}
