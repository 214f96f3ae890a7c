import { api } from "@/lib/api-client";
import { useCalendarMutation } from "../lib/use-calendar-mutation";

/** Remove the hours of a date, so that those of its weekday hold. */
export function useDeleteDateHours() {
  return useCalendarMutation((day: string) => api.DELETE("/guru/hours/dates/{day}", { params: { path: { day } } }));
}
