import { api } from "@/lib/api-client";
import { useFixedStartMutation } from "../lib/use-fixed-start-mutation";

/** Remove a session that no neighbor has booked. */
export function useDeleteFixedStart(serviceId: string) {
  return useFixedStartMutation(serviceId, (id: string) =>
    api.DELETE("/guru/services/{service_id}/starts/{start_id}", {
      params: { path: { service_id: serviceId, start_id: id } },
    }),
  );
}
