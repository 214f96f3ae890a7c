import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { SavedSearchList } from "../lib/types";

export const savedSearchesQuery = queryOptions({
  queryKey: ["search", "saved"],
  queryFn: ({ signal }) => api.get<SavedSearchList>("/search/saved", { signal }),
});

/** List the saved searches of the signed-in user. */
export function useSavedSearches(signedIn: boolean) {
  return useQuery({ ...savedSearchesQuery, enabled: signedIn });
}
