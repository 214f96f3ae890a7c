import { api } from "@/lib/api-client";
import { useBusySourceMutation } from "../lib/use-busy-source-mutation";

/** Change the name of a connected calendar, or whether its all-day events count. */
export function useUpdateBusySource(id: string) {
  return useBusySourceMutation((body: { name?: string; allDayBlocks?: boolean }) =>
    api.PATCH("/guru/busy-sources/{source_id}", { params: { path: { source_id: id } }, body }),
  );
}
