import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { serviceRiskQuery } from "./get-service-risk";

/** Ask for a review of a service's risk. The server answers 409 when it is not needed or too many are open. */
export function useRequestServiceReview(serviceId: string) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sentence: string) =>
      api.POST("/guru/services/{service_id}/risk-review", {
        params: { path: { service_id: serviceId } },
        body: { sentence },
      }),
    onSuccess: (risk) => queries.setQueryData(serviceRiskQuery(userId, serviceId).queryKey, risk),
  });
}
