import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { OwnBooking } from "../lib/types";
import { ownBookingsKey } from "./get-own-bookings";

const NEW_FOR_MS = 60_000;

export const bookingQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "one", id],
    queryFn: ({ signal }) => api.GET("/bookings/{booking_id}", { params: { path: { booking_id: id } }, signal }),
    staleTime: 0,
    enabled: userId !== "",
  });

/**
 * Get a session that the signed-in user booked.
 * @param interval how often to ask again, in milliseconds, or false for not at all
 */
export function useBooking(id: string, interval: (booking?: OwnBooking) => number | false = () => false) {
  return useQuery({
    ...bookingQuery(useCurrentUserId(), id),
    refetchInterval: ({ state }) => interval(state.data),
    // It may be paid in another tab.
    refetchOnWindowFocus: ({ state }) => state.data?.status === "held",
  });
}

/** Get a session that the user booked a moment ago. The answer to the booking is enough for a while. */
export function useNewBooking(id: string) {
  return useQuery({ ...bookingQuery(useCurrentUserId(), id), staleTime: NEW_FOR_MS });
}
