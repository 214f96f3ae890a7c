import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

type Slots = components["schemas"]["SlotsResponse"];

/** The most days that one request returns. */
export const SLOT_DAYS = 62;

export const slotsQuery = (guruLabel: string, serviceId: string, from: string) =>
  queryOptions({
    queryKey: ["bookings", "slots", guruLabel, serviceId, from],
    queryFn: ({ signal }) =>
      api.get<Slots>(`/gurus/${guruLabel}/services/${serviceId}/slots`, { signal, query: { from, days: SLOT_DAYS } }),
    staleTime: 0,
  });

/** Get the free times of a service from a local day of the guru on, "" for today. */
export const useSlots = (guruLabel: string, serviceId: string, from: string) =>
  useQuery(slotsQuery(guruLabel, serviceId, from));
