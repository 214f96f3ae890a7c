import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export type When = "requests" | "upcoming" | "past";

/** The key of all bookings: lists, weeks and single ones. */
export const bookingsKey = (userId: string) => ["guru", userId, "bookings"];

export const bookingsQuery = (userId: string, when: When) =>
  infiniteQueryOptions({
    queryKey: [...bookingsKey(userId), "list", when],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/guru/bookings", { params: { query: { when, cursor: pageParam } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });

/** List the bookings of the guru's services, a page at a time. */
export function useBookings(when: When) {
  return useInfiniteQuery(bookingsQuery(useConsoleUserId(), when));
}
