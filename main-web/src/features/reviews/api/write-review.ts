import { api } from "@/lib/api-client";
import type { ReviewedId } from "./get-session-reviews";
import { useReviewMutation } from "../lib/use-review-mutation";
import type { components } from "@porchlight/shared/api.gen";

type Review = Required<components["schemas"]["SessionReviewPayload"]>;

/** Write the review of a session, or change it while it is hidden. */
export function useWriteReview(reviewed: ReviewedId) {
  const { id, link } = reviewed;
  return useReviewMutation(reviewed, (body: Review) =>
    link === undefined
      ? api.PUT("/bookings/{booking_id}/review", { params: { path: { booking_id: id } }, body })
      : api.PUT("/booked/{link}/review", { params: { path: { link } }, body }),
  );
}
