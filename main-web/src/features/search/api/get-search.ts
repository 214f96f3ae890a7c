import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { parseMaxPriceCents } from "../lib/parse-max-price";
import type { SearchQuery } from "../lib/types";

/** Characters from which a search starts. */
export const MIN_SEARCH_LENGTH = 2;
/** Milliseconds until the search is repeated while the worker computes the embedding of its text. */
const EMBEDDING_POLL_MS = 1500;
/** Requests per search; after that, the results by words alone stay. */
const MAX_POLLS = 4;

export const searchQuery = (search: SearchQuery, cursor: string) => {
  const { withinMiles, maxPrice, ...filters } = search;
  return queryOptions({
    queryKey: ["search", search, cursor],
    queryFn: async ({ client, queryKey, signal }) => {
      const found = await api.GET("/search", {
        params: {
          query: {
            ...filters,
            withinMiles: withinMiles && Number(withinMiles),
            maxPriceCents: parseMaxPriceCents(maxPrice),
            cursor,
          },
        },
        signal,
      });
      const polls = client.getQueryState(queryKey)?.dataUpdateCount ?? 0;
      return polls + 1 < MAX_POLLS ? found : { ...found, pending: false };
    },
    enabled: search.q.trim().length >= MIN_SEARCH_LENGTH,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pending ? EMBEDDING_POLL_MS : false),
  });
};

/** Search, a page at a time: typo-tolerant hits at once, hits by meaning a moment later. */
export function useSearch(search: SearchQuery, cursor: string) {
  return useQuery(searchQuery(search, cursor));
}
