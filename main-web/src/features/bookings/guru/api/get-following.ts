import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "./get-bookings";

const followingQuery = (userId: string, id: string | null, startsAt: string) =>
  queryOptions({
    queryKey: [...bookingsKey(userId), "following", id, startsAt],
    queryFn:
      id === null
        ? skipToken
        : ({ signal }) =>
            api.GET("/guru/bookings/{booking_id}/following", {
              params: { path: { booking_id: id }, query: startsAt ? { startsAt } : {} },
              signal,
            }),
    staleTime: 0,
  });

/** Get a session of a series and those after it; with a start, where they would move. Nothing for null. */
export function useFollowing(id: string | null, startsAt = "") {
  return useQuery(followingQuery(useConsoleUserId(), id, startsAt));
}
