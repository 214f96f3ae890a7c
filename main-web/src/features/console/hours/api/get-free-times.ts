import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Slots } from "../../lib/types";
import { useConsoleUserId } from "../../lib/use-console-user-id";
import { getAllTimes } from "@porchlight/shared/all-times";

const DAYS = 31;

/** The key of the free times of all services. */
export const freeTimesKey = (userId: string) => ["guru", userId, "free-times"];

export const freeTimesQuery = (userId: string, label: string, serviceId: string, revision: number) =>
  queryOptions({
    queryKey: [...freeTimesKey(userId), label, serviceId, revision],
    queryFn: ({ signal }) =>
      getAllTimes(
        (from, days) =>
          api.get<Slots>(`/gurus/${encodeURIComponent(label)}/services/${encodeURIComponent(serviceId)}/slots`, {
            query: { from, days },
            signal,
          }),
        "",
        DAYS,
      ),
    staleTime: 0,
  });

/** Get the free times of a service as neighbors see them. `revision`: the calendar's, to load them again after a change. */
export function useFreeTimes(label: string, serviceId: string, revision: number) {
  return useQuery(freeTimesQuery(useConsoleUserId(), label, serviceId, revision));
}
