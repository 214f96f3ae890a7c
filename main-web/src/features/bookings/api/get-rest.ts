import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Rest } from "@/components/rest/rest";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "./get-own-bookings";

export const restUrl = (id: string) => `/bookings/${encodeURIComponent(id)}/rest`;

const restQuery = (userId: string, id: string | null, startsAt: string) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "rest", id, startsAt],
    queryFn:
      id === null
        ? skipToken
        : ({ signal }) => api.get<Rest>(restUrl(id), { query: startsAt ? { startsAt } : {}, signal }),
    staleTime: 0,
  });

/** Get a session of a series and those after it; with a start, where they would move. Nothing for null. */
export function useRest(id: string | null, startsAt = "") {
  return useQuery(restQuery(useCurrentUserId(), id, startsAt));
}
