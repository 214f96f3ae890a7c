import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { parseMaxPriceCents } from "../lib/parse-max-price";
import type { SavedSearchList, SearchQuery } from "../lib/types";
import { savedSearchesQuery } from "./get-saved-searches";

/** Save a search; new hits are emailed to the user. */
export function useCreateSavedSearch() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ q, withinMiles, maxPrice, ...filters }: SearchQuery) => {
      const activeFilters = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
      const maxPriceCents = parseMaxPriceCents(maxPrice);
      return api.post<SavedSearchList>("/search/saved", {
        body: {
          q: q.trim(),
          ...activeFilters,
          ...(withinMiles && { withinMiles: Number(withinMiles) }),
          ...(maxPriceCents !== undefined && { maxPriceCents }),
        },
      });
    },
    onSuccess: (list) => queries.setQueryData(savedSearchesQuery.queryKey, list),
  });
}
