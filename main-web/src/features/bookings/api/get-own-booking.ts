import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { Booking } from "../lib/own-booking";
import { ownBookingsKey } from "./get-own-bookings";

export const ownBookingQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "one", id],
    queryFn: ({ signal }) => api.get<Booking>(`/bookings/${encodeURIComponent(id)}`, { signal }),
    staleTime: 0,
  });

/** Get one session of the signed-in user, with the terms that apply now. */
export function useOwnBooking(id: string) {
  return useQuery(ownBookingQuery(useCurrentUserId(), id));
}
