import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type SessionReviews = components["schemas"]["SessionReviews"];

/** The key of all that the user sees of reviews of their sessions. */
export const sessionReviewsKey = (userId: string) => ["session-reviews", userId];

export const sessionReviewsQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...sessionReviewsKey(userId), id],
    queryFn: ({ signal }) => api.GET("/bookings/{booking_id}/review", { params: { path: { booking_id: id } }, signal }),
    staleTime: 0,
    enabled: userId !== "",
  });

/** Get the reviews of a session as the signed-in user sees them. */
export function useSessionReviews(id: string) {
  return useQuery(sessionReviewsQuery(useCurrentUserId(), id));
}
