import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const ACCOUNTS = ["stripe", "earned", "held"] as const;
export type Account = (typeof ACCOUNTS)[number];

export const statementQuery = (userId: string, account: Account) =>
  infiniteQueryOptions({
    queryKey: ["guru", userId, "statement", account],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/guru/statement", { params: { query: { account, cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** List the lines of one of the guru's accounts, newest first, a page at a time. */
export function useStatement(account: Account) {
  return useInfiniteQuery(statementQuery(useConsoleUserId(), account));
}
