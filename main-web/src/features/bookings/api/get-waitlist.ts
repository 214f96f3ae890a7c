import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "./get-own-bookings";

const waitlistQuery = (userId: string) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "waitlist", "list"],
    queryFn: async ({ signal }) => (await api.GET("/waitlist", { signal })).entries,
    staleTime: 0,
    enabled: userId !== "",
  });

/** List the sessions for which the signed-in user waits. */
export function useWaitlist() {
  return useQuery(waitlistQuery(useCurrentUserId()));
}
