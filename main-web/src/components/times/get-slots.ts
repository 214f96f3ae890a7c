import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { getAllTimes } from "@porchlight/shared/all-times";
import type { components } from "@porchlight/shared/api.gen";

type Slots = components["schemas"]["SlotsResponse"];

/** The most days that one request returns. */
export const SLOT_DAYS = 62;

const slotsKey = (guruLabel: string, serviceId: string) => ["bookings", "slots", guruLabel, serviceId];

export const slotsQuery = (guruLabel: string, serviceId: string, from: string) =>
  queryOptions({
    queryKey: [...slotsKey(guruLabel, serviceId), from],
    queryFn: ({ signal }) =>
      getAllTimes(
        (first, days) =>
          api.get<Slots>(`/gurus/${guruLabel}/services/${serviceId}/slots`, { signal, query: { from: first, days } }),
        from,
        SLOT_DAYS,
      ),
    staleTime: 0,
  });

/** Get the free times of a service from a local day of the guru on, "" for today. */
export const useSlots = (guruLabel: string, serviceId: string, from: string) =>
  useQuery(slotsQuery(guruLabel, serviceId, from));

/** Return a function that loads the free times of a service again, when someone may have taken one. */
export function useReloadSlots(guruLabel: string, serviceId: string) {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: slotsKey(guruLabel, serviceId) });
}
