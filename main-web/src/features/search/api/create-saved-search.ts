import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { parseMaxPriceCents } from "../lib/parse-max-price";
import type { SearchQuery } from "../lib/types";
import { savedSearchesQuery } from "./get-saved-searches";

/** Save a search; new hits are emailed to the user. */
export function useCreateSavedSearch() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ q, kind, near, withinMiles, maxPrice, format, language, day }: SearchQuery) => {
      const maxPriceCents = parseMaxPriceCents(maxPrice);
      return api.POST("/search/saved", {
        body: {
          q: q.trim(),
          ...(kind && { kind }),
          ...(near && { near }),
          ...(format && { format }),
          ...(language && { language }),
          ...(day && { day }),
          ...(withinMiles && { withinMiles: Number(withinMiles) }),
          ...(maxPriceCents !== undefined && { maxPriceCents }),
        },
      });
    },
    onSuccess: (list) => queries.setQueryData(savedSearchesQuery.queryKey, list),
  });
}
