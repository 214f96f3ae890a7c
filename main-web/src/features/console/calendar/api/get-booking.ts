import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { GuruBookingDetails } from "../../lib/types";
import { useConsoleUserId } from "../../lib/use-console-user-id";
import { bookingsKey } from "./get-bookings";

export const bookingUrl = (id: string) => `/guru/bookings/${encodeURIComponent(id)}`;

export const bookingQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...bookingsKey(userId), "one", id],
    queryFn: ({ signal }) => api.get<GuruBookingDetails>(bookingUrl(id), { signal }),
    staleTime: 0,
  });

/** Get a booking with its history. */
export function useBooking(id: string) {
  return useQuery(bookingQuery(useConsoleUserId(), id));
}
