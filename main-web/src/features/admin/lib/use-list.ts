import { useInfiniteQuery } from "@tanstack/react-query";
import { ADMIN_KEY } from "./query-keys";
import type { PathWith, QueryParameters } from "@porchlight/shared/call-types";

type Page<T> = { items: T[]; nextCursor: string | null };

/** The filters of a list: what its API takes, apart from the page. */
export type Filters<Path extends PathWith<"get">> = Omit<QueryParameters<Path>, "cursor">;

/** List rows for staff, a page at a time. The current rows stay while other filters load. */
export function useList<T>(
  name: string,
  filters: object,
  getPage: (cursor: string, signal: AbortSignal) => Promise<Page<T>>,
) {
  return useInfiniteQuery({
    queryKey: [ADMIN_KEY, name, filters],
    queryFn: ({ pageParam, signal }) => getPage(pageParam, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    placeholderData: (before) => before,
    staleTime: 10_000,
  });
}

export type List<T> = ReturnType<typeof useList<T>>;
