import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { FixedStart } from "../lib/types";

export type FixedStartList = { starts: FixedStart[] };

export const fixedStartsQuery = (userId: string, serviceId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "fixed-starts", serviceId],
    queryFn: ({ signal }) =>
      api.GET("/guru/services/{service_id}/starts", { params: { path: { service_id: serviceId } }, signal }),
    staleTime: 0,
  });

/** List the sessions of a service with a fixed start. */
export function useFixedStarts(serviceId: string) {
  return useQuery(fixedStartsQuery(useConsoleUserId(), serviceId));
}
