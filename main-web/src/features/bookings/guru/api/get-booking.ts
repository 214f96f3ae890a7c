import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { POLL_INTERVAL_MS } from "../../lib/poll-interval";
import { bookingsKey } from "./get-bookings";

export const bookingQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...bookingsKey(userId), "one", id],
    queryFn: ({ signal }) => api.GET("/guru/bookings/{booking_id}", { params: { path: { booking_id: id } }, signal }),
    staleTime: 0,
  });

/** Get a booking with its history. */
export function useBooking(id: string) {
  return useQuery({
    ...bookingQuery(useConsoleUserId(), id),
    refetchInterval: ({ state }) => (state.data?.payment?.state === "charging" ? POLL_INTERVAL_MS : false),
  });
}
