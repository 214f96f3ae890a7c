import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

export const scheduleQuery = (uid: string) =>
  queryOptions({
    queryKey: ["payouts", uid, "schedule"],
    queryFn: ({ signal }) => api.GET("/payouts/schedule", { signal }),
    staleTime: 0,
  });

/** Get the days of the regular payouts. */
export function useSchedule() {
  return useQuery(scheduleQuery(useCurrentUserId()));
}
