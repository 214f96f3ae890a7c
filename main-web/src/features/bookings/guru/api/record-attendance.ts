import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";

/** Record that the neighbor missed the session, or take that back. */
export function useRecordAttendance(id: string) {
  return useBookingMutation((missed: boolean) =>
    api.POST("/guru/bookings/{booking_id}/attendance", { params: { path: { booking_id: id } }, body: { missed } }),
  );
}
