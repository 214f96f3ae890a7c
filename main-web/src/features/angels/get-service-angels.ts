import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { components } from "@porchlight/shared/api.gen";

export type Angel = components["schemas"]["AngelAnswer"];
type Page = components["schemas"]["ServiceAngelsData"];
type Wanted = { service: string; city: string; near: string };

const serviceAngelsQuery = ({ service, city, near }: Wanted) =>
  infiniteQueryOptions({
    queryKey: ["angels", service, { city, near }],
    queryFn: ({ signal, pageParam }) =>
      api.get<Page>(`/angels/${encodeURIComponent(service)}`, { signal, query: { city, near, cursor: pageParam } }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** The angels for a kind of help, the nearest to a place first; page by page. */
export function useServiceAngels(wanted: Wanted) {
  return useInfiniteQuery(serviceAngelsQuery(wanted));
}
