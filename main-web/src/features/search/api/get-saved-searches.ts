import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export const savedSearchesQuery = queryOptions({
  queryKey: ["search", "saved"],
  queryFn: ({ signal }) => api.GET("/search/saved", { signal }),
});

/** List the saved searches of the signed-in user. */
export function useSavedSearches(signedIn: boolean) {
  return useQuery({ ...savedSearchesQuery, enabled: signedIn });
}
