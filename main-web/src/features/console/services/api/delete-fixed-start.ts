import { api } from "@/lib/api-client";
import { useFixedStartMutation } from "../lib/use-fixed-start-mutation";
import { startsUrl, type FixedStartList } from "./get-fixed-starts";

/** Remove a session that no neighbor has booked. */
export function useDeleteFixedStart(serviceId: string) {
  return useFixedStartMutation(serviceId, (id: string) =>
    api.delete<FixedStartList>(`${startsUrl(serviceId)}/${encodeURIComponent(id)}`),
  );
}
