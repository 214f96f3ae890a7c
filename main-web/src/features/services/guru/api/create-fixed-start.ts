import { api } from "@/lib/api-client";
import { useFixedStartMutation } from "../lib/use-fixed-start-mutation";

/** Add a session with a fixed start. The server answers 409 when it overlaps another one. */
export function useCreateFixedStart(serviceId: string) {
  return useFixedStartMutation(serviceId, (startsAt: string) =>
    api.POST("/guru/services/{service_id}/starts", { params: { path: { service_id: serviceId } }, body: { startsAt } }),
  );
}
