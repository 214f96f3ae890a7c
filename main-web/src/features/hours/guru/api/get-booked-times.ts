import { keepPreviousData, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

const bookedTimesQuery = (userId: string, after: string | null, before: string | null) =>
  queryOptions({
    queryKey: ["guru", userId, "bookings", "booked", after, before],
    queryFn:
      after === null || before === null || after >= before
        ? skipToken
        : ({ signal }) => api.GET("/guru/bookings/booked", { params: { query: { after, before } }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** List what is booked between two instants; nothing while one is null. */
export function useBookedTimes(after: string | null, before: string | null) {
  return useQuery(bookedTimesQuery(useConsoleUserId(), after, before));
}
