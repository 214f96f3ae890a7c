import { skipToken, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "./get-bookings";

/** List the times of seven days that the guru can propose for a booking; nothing while it is null. */
export function useMoveStarts(bookingId: string | null, from: string) {
  const userId = useConsoleUserId();
  return useQuery({
    queryKey: [...bookingsKey(userId), "move-starts", bookingId, from],
    queryFn:
      bookingId === null
        ? skipToken
        : ({ signal }) =>
            api.GET("/guru/bookings/{booking_id}/move/starts", {
              params: { path: { booking_id: bookingId }, query: { from } },
              signal,
            }),
    staleTime: 0,
  });
}
