import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { Following } from "@/components/following/following";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "../../lib/use-console-user-id";
import { bookingUrl } from "./get-booking";
import { bookingsKey } from "./get-bookings";

export const followingUrl = (id: string) => `${bookingUrl(id)}/following`;

const followingQuery = (userId: string, id: string | null, startsAt: string) =>
  queryOptions({
    queryKey: [...bookingsKey(userId), "following", id, startsAt],
    queryFn:
      id === null
        ? skipToken
        : ({ signal }) => api.get<Following>(followingUrl(id), { query: startsAt ? { startsAt } : {}, signal }),
    staleTime: 0,
  });

/** Get a session of a series and those after it; with a start, where they would move. Nothing for null. */
export function useFollowing(id: string | null, startsAt = "") {
  return useQuery(followingQuery(useConsoleUserId(), id, startsAt));
}
