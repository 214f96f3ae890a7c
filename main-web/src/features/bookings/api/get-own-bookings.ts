import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { When } from "../lib/own-booking";

/** The prefix of all query keys of a user's bookings. */
export const ownBookingsKey = (userId: string) => ["bookings", userId];

const ownBookingsQuery = (userId: string, when: When) =>
  infiniteQueryOptions({
    queryKey: [...ownBookingsKey(userId), "list", when],
    queryFn: async ({ signal, pageParam }) => {
      const page = await api.GET("/bookings", { params: { query: { when, cursor: pageParam } }, signal });
      return { ...page, receivedAt: Date.now() }; // by this browser's clock, from which the seconds that are left count
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  });

/** List the signed-in user's sessions, a page at a time. Disabled while signed out. */
export function useOwnBookings(when: When) {
  const userId = useCurrentUserId();
  return useInfiniteQuery({ ...ownBookingsQuery(userId, when), enabled: userId !== "" });
}
