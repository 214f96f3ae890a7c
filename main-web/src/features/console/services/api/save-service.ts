import { api } from "@/lib/api-client";
import type { ServiceList, ServicePayload } from "../../lib/types";
import { useServiceMutation } from "../lib/use-service-mutation";

/** Create a service, or update the one with this id. */
export function useSaveService() {
  return useServiceMutation(({ id, service }: { id: string | null; service: ServicePayload }) =>
    id === null
      ? api.post<ServiceList>("/guru/services", { body: service })
      : api.put<ServiceList>(`/guru/services/${encodeURIComponent(id)}`, { body: service }),
  );
}
