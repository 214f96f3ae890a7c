import { useMutation, useQueryClient } from "@tanstack/react-query";
import { SLOTS_KEY } from "@/features/bookings/contract";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { busySourcesQuery } from "../api/get-busy-sources";
import type { BusySourceList } from "./types";

/** Run a request that returns the changed list of connected calendars. */
export function useBusySourceMutation<Variables>(mutationFn: (variables: Variables) => Promise<BusySourceList>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (list) => {
      queries.setQueryData(busySourcesQuery(userId).queryKey, list);
      void queries.invalidateQueries({ queryKey: SLOTS_KEY });
    },
  });
}
