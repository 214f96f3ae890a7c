import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { getAllTimes } from "@porchlight/shared/all-times";

/** The most days that one request returns. */
export const SLOT_DAYS = 62;
const MONTH_DAYS = 31;

/** The prefix of the keys of all free times. */
export const SLOTS_KEY = ["bookings", "slots"];

const slotsKey = (guruLabel: string, serviceId: string) => [...SLOTS_KEY, guruLabel, serviceId];

/** `revision`: of what the times depend on, to load them again after a change. */
export const slotsQuery = (guruLabel: string, serviceId: string, from: string, days = SLOT_DAYS, revision = 0) =>
  queryOptions({
    queryKey: [...slotsKey(guruLabel, serviceId), from, days, revision],
    queryFn: ({ signal }) =>
      getAllTimes(
        (first, count) =>
          api.GET("/gurus/{subdomain}/services/{service_id}/slots", {
            params: { path: { subdomain: guruLabel, service_id: serviceId }, query: { from: first, days: count } },
            signal,
          }),
        from,
        days,
      ),
    staleTime: 0,
  });

/** Get the free times of a service on some days from a local day of the guru on. The former ones stay meanwhile. */
export const useSlots = (guruLabel: string, serviceId: string, from: string, days: number) =>
  useQuery({ ...slotsQuery(guruLabel, serviceId, from, days), placeholderData: keepPreviousData });

/** Get the free times of a service in the next month, for a first look at them. */
export const useNextSlots = (guruLabel: string, serviceId: string, revision?: number) =>
  useQuery(slotsQuery(guruLabel, serviceId, "", MONTH_DAYS, revision));

/** Return a function that loads the free times of a service again, when someone may have taken one. */
export function useReloadSlots(guruLabel: string, serviceId: string) {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: slotsKey(guruLabel, serviceId) });
}
