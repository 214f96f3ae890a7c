import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { Rest } from "@/components/rest/rest";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "../../lib/use-console-user-id";
import { bookingUrl } from "./get-booking";
import { bookingsKey } from "./get-bookings";

export const restUrl = (id: string) => `${bookingUrl(id)}/rest`;

const restQuery = (userId: string, id: string | null, startsAt: string) =>
  queryOptions({
    queryKey: [...bookingsKey(userId), "rest", id, startsAt],
    queryFn:
      id === null
        ? skipToken
        : ({ signal }) => api.get<Rest>(restUrl(id), { query: startsAt ? { startsAt } : {}, signal }),
    staleTime: 0,
  });

/** Get a session of a series and those after it; with a start, where they would move. Nothing for null. */
export function useRest(id: string | null, startsAt = "") {
  return useQuery(restQuery(useConsoleUserId(), id, startsAt));
}
