import { api } from "@/lib/api-client";
import type { CalendarSettings } from "../../lib/types";
import { useCalendarMutation } from "../lib/use-calendar-mutation";

/** Remove the hours of a date, so that those of its weekday hold. */
export function useDeleteDateHours() {
  return useCalendarMutation((day: string) => api.delete<CalendarSettings>(`/guru/hours/dates/${day}`));
}
