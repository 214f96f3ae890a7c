import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const bookingsOverviewQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "bookings", "overview"],
    queryFn: ({ signal }) => api.GET("/guru/bookings/overview", { signal }),
    staleTime: 0,
  });

/** Get the guru's next sessions, and the numbers of what waits for them. */
export function useBookingsOverview(enabled = true) {
  return useQuery({ ...bookingsOverviewQuery(useConsoleUserId()), enabled });
}
