import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import { bookingUrl } from "./get-booking";

/** Record that the neighbor missed the session, or take that back. */
export function useRecordAttendance(id: string) {
  return useBookingMutation((missed: boolean) => api.post(`${bookingUrl(id)}/attendance`, { body: { missed } }));
}
