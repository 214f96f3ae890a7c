import { skipToken, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

export const seriesQueryKey = (id: string, userId: string) => ["bookings", userId, "series", id];

/** Get the signed-in user's sessions that were booked together. Nothing for null. */
export function useSeries(id: string | null) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: seriesQueryKey(id ?? "", userId),
    queryFn:
      id === null
        ? skipToken
        : ({ signal }) => api.GET("/bookings/series/{series_id}", { params: { path: { series_id: id } }, signal }),
    enabled: userId !== "",
  });
}
