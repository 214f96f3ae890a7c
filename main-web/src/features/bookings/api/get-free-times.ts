import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { FreeTimes } from "../lib/types";

const DAYS = 31;

/** Get the free times of a guru's service in the next weeks. */
export function useFreeTimes(guruLabel: string, serviceId: string) {
  return useQuery({
    queryKey: ["bookings", "free-times", guruLabel, serviceId],
    queryFn: ({ signal }) =>
      api.get<FreeTimes>(`/gurus/${encodeURIComponent(guruLabel)}/services/${encodeURIComponent(serviceId)}/slots`, {
        query: { days: DAYS },
        signal,
      }),
    staleTime: 0,
  });
}
