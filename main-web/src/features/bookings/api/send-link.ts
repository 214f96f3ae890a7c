import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "./get-own-bookings";
import type { components } from "@porchlight/shared/api.gen";

type Link = components["schemas"]["LinkData"];

/** Get a participant's personal link, or with an address email it to them. */
export function useSendLink(bookingId: string, number: number) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (email: string) =>
      api.post<Link>(`/bookings/${encodeURIComponent(bookingId)}/participants/${number}/link`, { body: { email } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ownBookingsKey(userId) }),
  });
}
