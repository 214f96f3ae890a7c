import { api } from "@/lib/api-client";
import type { CalendarUpdate } from "../lib/types";
import { useCalendarMutation } from "../lib/use-calendar-mutation";

/** Change the given settings of the calendar. The server answers 409 when it changed since `revision`. */
export function useUpdateCalendar() {
  return useCalendarMutation((update: CalendarUpdate) => api.PATCH("/guru/calendar", { body: update }));
}
