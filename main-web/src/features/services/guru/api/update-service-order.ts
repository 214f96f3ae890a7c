import { api } from "@/lib/api-client";
import { useServiceMutation } from "../lib/use-service-mutation";

/** Set the order in which visitors see the services. */
export function useUpdateServiceOrder() {
  return useServiceMutation((ids: string[]) => api.PUT("/guru/service-order", { body: { ids } }));
}
