import { api } from "@/lib/api-client";
import type { ServiceList } from "../../lib/types";
import { useServiceMutation } from "../lib/use-service-mutation";

/** Delete a service. */
export function useDeleteService() {
  return useServiceMutation((id: string) => api.delete<ServiceList>(`/guru/services/${encodeURIComponent(id)}`));
}
