import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { Tips } from "../lib/types";
import { ownBookingsKey } from "./get-own-bookings";

export const tipsQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "tips", id],
    queryFn: ({ signal }) => api.GET("/bookings/{booking_id}/tips", { params: { path: { booking_id: id } }, signal }),
    staleTime: 0,
  });

/** Get the tips for a session of the signed-in user, again while `interval` returns a number of milliseconds. */
export function useTips(id: string, interval: (tips: Tips | undefined) => number | false) {
  const userId = useCurrentUserId();
  return useQuery({
    ...tipsQuery(userId, id),
    enabled: userId !== "",
    refetchInterval: ({ state }) => interval(state.data),
  });
}
