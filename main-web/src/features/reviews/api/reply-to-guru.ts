import { api } from "@/lib/api-client";
import type { ReviewedId } from "./get-session-reviews";
import { useReviewMutation } from "../lib/use-review-mutation";

/** Reply to the guru's review of a session. */
export function useReplyToGuru(reviewed: ReviewedId) {
  const { id, link } = reviewed;
  return useReviewMutation(reviewed, (body: string) =>
    link === undefined
      ? api.PUT("/bookings/{booking_id}/review/reply", { params: { path: { booking_id: id } }, body: { body } })
      : api.PUT("/booked/{link}/review/reply", { params: { path: { link } }, body: { body } }),
  );
}
