import { api } from "@/lib/api-client";
import type { ServicePayload } from "../lib/types";
import { useServiceMutation } from "../lib/use-service-mutation";

/** Create a service, or update the one with this id. */
export function useSaveService() {
  return useServiceMutation(({ id, service }: { id: string | null; service: ServicePayload }) =>
    id === null
      ? api.POST("/guru/services", { body: service })
      : api.PUT("/guru/services/{service_id}", { params: { path: { service_id: id } }, body: service }),
  );
}
