import { api } from "@/lib/api-client";
import type { Answer } from "@/lib/questions";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Answer the guru's questions again, as the user or as the bearer of a link. */
export function useChangeAnswers(id: string, link?: string) {
  return useBookingMutation(
    (body: { answers: Answer[] }) =>
      link === undefined
        ? api.PUT("/bookings/{booking_id}/question-answers", { params: { path: { booking_id: id } }, body })
        : api.PUT("/booked/{link}/question-answers", { params: { path: { link } }, body }),
    link,
  );
}
