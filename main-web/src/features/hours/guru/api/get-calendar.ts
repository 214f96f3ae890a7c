import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const calendarQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "calendar"],
    queryFn: ({ signal }) => api.GET("/guru/calendar", { signal }),
    staleTime: 0,
  });

/** Get the guru's calendar and hours. */
export function useCalendar() {
  return useQuery(calendarQuery(useConsoleUserId()));
}
