import { api } from "@/lib/api-client";
import { useBusySourceMutation } from "../lib/use-busy-source-mutation";

/** Go by the last times of a connected calendar for two more weeks. */
export function useKeepBusySource(id: string) {
  return useBusySourceMutation(() =>
    api.POST("/guru/busy-sources/{source_id}/decision", { params: { path: { source_id: id } } }),
  );
}
