import { api } from "@/lib/api-client";
import { useGuruReviewMutation } from "../lib/use-guru-review-mutation";

/** Write the review of a booking's person, or change it while it is hidden. */
export function useWriteReview() {
  return useGuruReviewMutation(({ id, ...body }: { id: string; stars: number; body: string }) =>
    api.PUT("/guru/bookings/{booking_id}/review", { params: { path: { booking_id: id } }, body }),
  );
}
