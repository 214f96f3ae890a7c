import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { busySourcesQuery } from "./get-busy-sources";

/** A reading takes a second or two, and at most half a minute. */
const RESULT_AFTER_MS = [4_000, 30_000];

/** Let a connected calendar be read now. The list is loaded again when the result should be there. */
export function useReadBusySource(id: string) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  const { queryKey } = busySourcesQuery(userId);
  return useMutation({
    mutationFn: () => api.POST("/guru/busy-sources/{source_id}/reading", { params: { path: { source_id: id } } }),
    onSuccess: (list) => {
      queries.setQueryData(queryKey, list);
      for (const delay of RESULT_AFTER_MS) setTimeout(() => void queries.invalidateQueries({ queryKey }), delay);
    },
  });
}
