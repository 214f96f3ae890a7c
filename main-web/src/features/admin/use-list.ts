import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";

type ListPage<T> = { items: T[]; nextCursor: string | null };
type Filters = Record<string, string>;

/** A staff list, a page at a time. What is shown stays while other filters load. */
export function useList<T>(name: string, filters: Filters) {
  return useInfiniteQuery({
    queryKey: [ADMIN, name, filters],
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
