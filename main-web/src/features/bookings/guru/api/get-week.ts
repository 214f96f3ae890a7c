import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "./get-bookings";

export const weekQuery = (userId: string, from: string) =>
  queryOptions({
    queryKey: [...bookingsKey(userId), "week", from],
    queryFn: ({ signal }) => api.GET("/guru/bookings/week", { params: { query: { from } }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Get the sessions and busy times of seven days; from today on for "". */
export function useWeek(from: string) {
  return useQuery(weekQuery(useConsoleUserId(), from));
}
