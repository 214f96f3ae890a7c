import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { CalendarSettings } from "./types";
import { calendarQuery } from "../api/get-calendar";

/** Run a request that returns the changed calendar. */
export function useCalendarMutation<Variables>(mutationFn: (variables: Variables) => Promise<CalendarSettings>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (calendar) => queries.setQueryData(calendarQuery(userId).queryKey, calendar),
  });
}
