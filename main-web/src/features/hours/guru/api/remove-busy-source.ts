import { api } from "@/lib/api-client";
import { useBusySourceMutation } from "../lib/use-busy-source-mutation";

/** Remove a connected calendar with its busy times. */
export function useRemoveBusySource(id: string) {
  return useBusySourceMutation(() =>
    api.DELETE("/guru/busy-sources/{source_id}", { params: { path: { source_id: id } } }),
  );
}
