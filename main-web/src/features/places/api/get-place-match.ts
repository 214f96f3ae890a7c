import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

/** The place that a text means, or what it may mean and why that is not clear. */
export type PlaceMatch = components["schemas"]["MatchedPlace"];

const MAX_LENGTH = 120;
const HOUR_MS = 3_600_000;

const placeMatchQuery = (text: string) =>
  queryOptions({
    queryKey: ["place-match", text],
    queryFn: ({ signal }) => api.GET("/geocode/match", { params: { query: { q: text } }, signal }),
    enabled: text !== "" && text.length <= MAX_LENGTH,
    staleTime: HOUR_MS,
    // A help while typing: saving checks again.
    retry: false,
  });

/** Match a place as typed; "" asks for nothing. */
export function usePlaceMatch(text: string) {
  return useQuery(placeMatchQuery(text));
}
