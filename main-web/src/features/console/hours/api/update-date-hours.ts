import { api } from "@/lib/api-client";
import type { CalendarSettings, HoursOfDate } from "../../lib/types";
import { useCalendarMutation } from "../lib/use-calendar-mutation";

/** Replace the hours of a date; without ranges, it is closed. */
export function useUpdateDateHours() {
  return useCalendarMutation(({ day, ranges }: HoursOfDate) =>
    api.put<CalendarSettings>(`/guru/hours/dates/${day}`, { body: { ranges } }),
  );
}
