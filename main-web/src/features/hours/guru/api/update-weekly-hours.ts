import { api } from "@/lib/api-client";
import type { HoursRange } from "../lib/types";
import { useCalendarMutation } from "../lib/use-calendar-mutation";

type Week = { revision: number; week: { weekdays: number[]; ranges: HoursRange[] }[] };

/** Replace the hours of the week. The server answers 409 when the calendar changed since `revision`. */
export function useUpdateWeeklyHours() {
  return useCalendarMutation((week: Week) => api.PUT("/guru/hours", { body: week }));
}
