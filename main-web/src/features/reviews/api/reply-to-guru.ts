import { api } from "@/lib/api-client";
import { useReviewMutation } from "../lib/use-review-mutation";

/** Reply to the guru's review of a session. */
export function useReplyToGuru(id: string) {
  return useReviewMutation(id, (body: string) =>
    api.PUT("/bookings/{booking_id}/review/reply", { params: { path: { booking_id: id } }, body: { body } }),
  );
}
