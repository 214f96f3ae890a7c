import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { cents, type Question } from "./get-search";
import type { components } from "@porchlight/shared/api.gen";

export type Saved = components["schemas"]["SavedAnswer"];
type SavedList = { searches: Saved[] };

const KEY = ["search", "saved"];

/** The searches somebody keeps. */
export function useSavedSearches(signedIn: boolean) {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.get<SavedList>("/search/saved", { signal }),
    enabled: signedIn,
  });
}

/** Keeps a search: what is new in it comes by mail. */
export function useSaveSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ q, withinMiles, maxPrice, ...filters }: Question) => {
      const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
      return api.post<SavedList>("/search/saved", {
        body: {
          q: q.trim(),
          ...set,
          ...(withinMiles && { withinMiles: Number(withinMiles) }),
          ...(cents(maxPrice) !== undefined && { maxPriceCents: cents(maxPrice) }),
        },
      });
    },
    onSuccess: (list) => client.setQueryData(KEY, list),
  });
}

/** Keeps it no longer. */
export function useDropSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete<SavedList>(`/search/saved/${encodeURIComponent(id)}`),
    onSuccess: (list) => client.setQueryData(KEY, list),
  });
}
