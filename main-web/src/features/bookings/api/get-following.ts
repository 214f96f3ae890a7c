import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "./get-own-bookings";

const followingQuery = (userId: string, id: string | null, startsAt: string) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "following", id, startsAt],
    queryFn:
      id === null
        ? skipToken
        : ({ signal }) =>
            api.GET("/bookings/{booking_id}/following", {
              params: { path: { booking_id: id }, query: startsAt ? { startsAt } : {} },
              signal,
            }),
    staleTime: 0,
  });

/** Get a session of a series and those after it; with a start, where they would move. Nothing for null. */
export function useFollowing(id: string | null, startsAt = "") {
  return useQuery(followingQuery(useCurrentUserId(), id, startsAt));
}
