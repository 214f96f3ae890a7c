import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "./query-keys";

type ListPage<T> = { items: T[]; nextCursor: string | null };
type Filters = Record<string, string>;

/** List rows for staff, a page at a time. The current rows stay while other filters load. */
export function useList<T>(name: string, filters: Filters) {
  return useInfiniteQuery({
    queryKey: [ADMIN_KEY, name, filters],
    queryFn: ({ pageParam, signal }) =>
      api.get<ListPage<T>>(`/admin/${name}`, { query: { ...filters, cursor: pageParam }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    placeholderData: (before) => before,
    staleTime: 10_000,
  });
}

export type List<T> = ReturnType<typeof useList<T>>;
