import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { FreeTimes } from "../lib/types";
import { getAllTimes } from "@porchlight/shared/all-times";

const DAYS = 31;

/** Get the free times of a guru's service in the next weeks. */
export function useFreeTimes(guruLabel: string, serviceId: string) {
  return useQuery({
    queryKey: ["bookings", "free-times", guruLabel, serviceId],
    queryFn: ({ signal }) =>
      getAllTimes(
        (from, days) =>
          api.get<FreeTimes>(
            `/gurus/${encodeURIComponent(guruLabel)}/services/${encodeURIComponent(serviceId)}/slots`,
            { query: { from, days }, signal },
          ),
        "",
        DAYS,
      ),
    staleTime: 0,
  });
}
