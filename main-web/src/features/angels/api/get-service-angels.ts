import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type Angel = components["schemas"]["AngelResponse"];
type AngelFilters = { service: string; city: string; near: string };

const serviceAngelsQuery = ({ service, city, near }: AngelFilters) =>
  infiniteQueryOptions({
    queryKey: ["angels", service, { city, near }],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/angels/{service_id}", {
        params: { path: { service_id: service }, query: { city, near, cursor: pageParam } },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** List the angels for a service, nearest first, a page at a time. */
export function useServiceAngels(filters: AngelFilters) {
  return useInfiniteQuery(serviceAngelsQuery(filters));
}
