import { api } from "@/lib/api-client";
import type { HoursOfDate } from "../lib/types";
import { useCalendarMutation } from "../lib/use-calendar-mutation";

/** Replace the hours of a date; without ranges, it is closed. */
export function useUpdateDateHours() {
  return useCalendarMutation(({ day, ranges }: HoursOfDate) =>
    api.PUT("/guru/hours/dates/{day}", { params: { path: { day } }, body: { ranges } }),
  );
}
