import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";

export const bookedUrl = (link: string) => `/booked/${encodeURIComponent(link)}`;
export const bookedKey = (link: string) => ["booked", link];

/** Get the session that a guru booked for the bearer of a link. */
export function useBooked(link: string) {
  return useQuery({
    queryKey: bookedKey(link),
    queryFn: ({ signal }) => api.get<Booking>(bookedUrl(link), { signal }),
    staleTime: 0,
  });
}
