import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { Schedule } from "../lib/types";
import { scheduleQuery } from "./get-schedule";

/** Change the days of the regular payouts. */
export function useUpdateSchedule() {
  const uid = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schedule) => api.PUT("/payouts/schedule", { body }),
    onSuccess: (schedule) => queries.setQueryData(scheduleQuery(uid).queryKey, schedule),
  });
}
