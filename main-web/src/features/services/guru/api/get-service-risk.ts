import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const serviceRiskQuery = (userId: string, serviceId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "service-risk", serviceId],
    queryFn: ({ signal }) =>
      api.GET("/guru/services/{service_id}/risk", { params: { path: { service_id: serviceId } }, signal }),
  });

/** Get our rating of a service, and the review that the guru asked for. */
export function useServiceRisk(serviceId: string) {
  return useQuery(serviceRiskQuery(useConsoleUserId(), serviceId));
}
