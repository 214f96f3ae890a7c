import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const servicesQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "services"],
    queryFn: ({ signal }) => api.GET("/guru/services", { signal }),
    staleTime: 0,
  });

/** List the guru's services in their order. */
export function useServices() {
  return useQuery(servicesQuery(useConsoleUserId()));
}
