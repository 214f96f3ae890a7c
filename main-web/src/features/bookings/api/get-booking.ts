import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { Booking } from "../lib/types";

export const bookingQueryKey = (id: string, userId: string) => ["bookings", "booking", id, userId];

/** Get a booking of the signed-in user. */
export function useBooking(id: string) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: bookingQueryKey(id, userId),
    queryFn: ({ signal }) => api.get<Booking>(`/bookings/${encodeURIComponent(id)}`, { signal }),
    enabled: userId !== "",
  });
}
