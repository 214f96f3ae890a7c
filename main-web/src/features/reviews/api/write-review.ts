import { api } from "@/lib/api-client";
import { useReviewMutation } from "../lib/use-review-mutation";
import type { components } from "@porchlight/shared/api.gen";

type Review = Required<components["schemas"]["SessionReviewPayload"]>;

/** Write the review of a session, or change it while it is hidden. */
export function useWriteReview(id: string) {
  return useReviewMutation(id, (body: Review) =>
    api.PUT("/bookings/{booking_id}/review", { params: { path: { booking_id: id } }, body }),
  );
}
