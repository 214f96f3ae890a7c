import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { LeadStatus } from "../lib/types";

/** The key of all lists of leads, with any filter. */
export const leadsKey = (userId: string) => ["guru", userId, "leads"];

export const leadsQuery = (userId: string, status: LeadStatus | "", search: string) =>
  infiniteQueryOptions({
    queryKey: [...leadsKey(userId), status, search],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/guru/leads", { params: { query: { status, q: search, cursor: pageParam } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** List the leads, a page at a time; without a status, all that are not archived. */
export function useLeads(status: LeadStatus | "", search: string) {
  return useInfiniteQuery(leadsQuery(useConsoleUserId(), status, search));
}
