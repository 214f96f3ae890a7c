import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "./get-own-bookings";

/** A session by its id, for someone on its waitlist, or by its guru, service and start. */
export type SessionLookup = { id: string } | { guruLabel: string; serviceId: string; startsAt: string };

/** Milliseconds until a position is read again. An email tells of a free spot. */
const REFRESH_MS = 30_000;

export const waitlistSessionQuery = (userId: string, lookup: SessionLookup) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "waitlist", "session", lookup],
    queryFn: ({ signal }) =>
      "id" in lookup
        ? api.GET("/waitlist/sessions/{session_id}", { params: { path: { session_id: lookup.id } }, signal })
        : api.GET("/waitlist/sessions", {
            params: { query: { guru: lookup.guruLabel, serviceId: lookup.serviceId, startsAt: lookup.startsAt } },
            signal,
          }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data?.entry ? REFRESH_MS : false),
    enabled: userId !== "",
  });

/** Get a full session and the signed-in user's place on its waitlist. */
export function useWaitlistSession(lookup: SessionLookup) {
  return useQuery(waitlistSessionQuery(useCurrentUserId(), lookup));
}
