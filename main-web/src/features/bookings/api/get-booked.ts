import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export const bookedKey = (link: string) => ["booked", link];

/** Get the session that a guru booked for the bearer of a link. */
export function useBooked(link: string) {
  return useQuery({
    queryKey: bookedKey(link),
    queryFn: ({ signal }) => api.GET("/booked/{link}", { params: { path: { link } }, signal }),
    staleTime: 0,
  });
}
