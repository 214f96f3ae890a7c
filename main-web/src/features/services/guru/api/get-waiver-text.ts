import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const waiverTextQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "waiver-text"],
    queryFn: ({ signal }) => api.GET("/guru/waiver-text", { signal }),
    staleTime: 0,
  });

/** Get what the guru adds to the waivers of all services. */
export function useOwnWaiverText() {
  return useQuery(waiverTextQuery(useConsoleUserId()));
}
