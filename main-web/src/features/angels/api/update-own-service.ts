import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { angelsQuery } from "./get-angels";
import { ownServicesQuery } from "./get-own-services";
import type { components } from "@porchlight/shared/api.gen";

type OwnServiceUpdate = { service: string; help: components["schemas"]["AngelPayload"] | null };

/** Offer help with a service, or stop offering it (null). */
export function useUpdateOwnService() {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ service, help }: OwnServiceUpdate) => {
      const params = { path: { service_id: service } };
      return help
        ? api.PUT("/angel-services/{service_id}", { params, body: help })
        : api.DELETE("/angel-services/{service_id}", { params });
    },
    onSuccess: (list) => {
      queries.setQueryData(ownServicesQuery(userId).queryKey, list);
      void queries.invalidateQueries({ queryKey: angelsQuery.queryKey });
    },
  });
}
