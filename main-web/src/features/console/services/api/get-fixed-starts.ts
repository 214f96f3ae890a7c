import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { FixedStart } from "../../lib/types";
import { useConsoleUserId } from "../../lib/use-console-user-id";

export type FixedStartList = { starts: FixedStart[] };

export const startsUrl = (serviceId: string) => `/guru/services/${encodeURIComponent(serviceId)}/starts`;

export const fixedStartsQuery = (userId: string, serviceId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "fixed-starts", serviceId],
    queryFn: ({ signal }) => api.get<FixedStartList>(startsUrl(serviceId), { signal }),
    staleTime: 0,
  });

/** List the sessions of a service with a fixed start. */
export function useFixedStarts(serviceId: string) {
  return useQuery(fixedStartsQuery(useConsoleUserId(), serviceId));
}
