import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type SessionReviews = components["schemas"]["SessionReviews"];

/** A session, and the link of its customer if they have no account. */
export type ReviewedId = { id: string; link?: string | undefined };

/** The key of all that a user, or the bearer of a link, sees of reviews of their sessions. */
export const sessionReviewsKey = (reader: string) => ["session-reviews", reader];

export const sessionReviewsQuery = (userId: string, { id, link }: ReviewedId) =>
  queryOptions({
    queryKey: [...sessionReviewsKey(link ?? userId), id],
    queryFn: ({ signal }) =>
      link === undefined
        ? api.GET("/bookings/{booking_id}/review", { params: { path: { booking_id: id } }, signal })
        : api.GET("/booked/{link}/review", { params: { path: { link } }, signal }),
    staleTime: 0,
    enabled: (link ?? userId) !== "",
  });

/** Get the reviews of a session as the signed-in user, or the bearer of a link, sees them. */
export function useSessionReviews(reviewed: ReviewedId) {
  return useQuery(sessionReviewsQuery(useCurrentUserId(), reviewed));
}
