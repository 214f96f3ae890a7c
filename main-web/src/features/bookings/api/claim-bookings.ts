import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "./get-own-bookings";
import { EMAIL_UNVERIFIED } from "@porchlight/shared/client";

const claimQuery = (userId: string, link: string) =>
  queryOptions({
    queryKey: ["booked", link, "claim", userId],
    queryFn: ({ signal }) => api.GET("/booked/{link}/claim", { params: { path: { link } }, signal }),
    staleTime: 0,
  });

/** Get what the signed-in user can add to their account with a link. Disabled while signed out. */
export function useClaim(link: string) {
  const userId = useCurrentUserId();
  return useQuery({ ...claimQuery(userId, link), enabled: userId !== "" });
}

/** Add the sessions of a link to the account. `confirmed`: they were booked for another email address. */
export function useClaimBookings(link: string) {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: (confirmed: boolean) =>
      api.POST("/booked/{link}/claim", {
        handled: [EMAIL_UNVERIFIED],
        params: { path: { link } },
        body: { confirmed },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ownBookingsKey(userId) }),
  });
}
