import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "./get-own-bookings";

/** Get a participant's personal link, or with an address email it to them. */
export function useSendLink(bookingId: string, number: number) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (email: string) =>
      api.POST("/bookings/{booking_id}/participants/{number}/link", {
        params: { path: { booking_id: bookingId, number: String(number) } },
        body: { email },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ownBookingsKey(userId) }),
  });
}
