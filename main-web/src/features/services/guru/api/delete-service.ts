import { api } from "@/lib/api-client";
import { useServiceMutation } from "../lib/use-service-mutation";

/** Delete a service. */
export function useDeleteService() {
  return useServiceMutation((id: string) =>
    api.DELETE("/guru/services/{service_id}", { params: { path: { service_id: id } } }),
  );
}
