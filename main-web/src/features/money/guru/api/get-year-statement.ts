import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

const yearStatementQuery = (userId: string, year: number | null) =>
  queryOptions({
    queryKey: ["guru", userId, "year-statement", year],
    queryFn: ({ signal }) => api.GET("/guru/year-statement", { params: { query: { ...(year && { year }) } }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Get the totals of a year by month; of the newest year with money without one. */
export function useYearStatement(year: number | null) {
  return useQuery(yearStatementQuery(useConsoleUserId(), year));
}
