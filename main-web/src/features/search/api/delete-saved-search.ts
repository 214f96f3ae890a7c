import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { savedSearchesQuery } from "./get-saved-searches";

/** Delete a saved search. */
export function useDeleteSavedSearch() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE("/search/saved/{search_id}", { params: { path: { search_id: id } } }),
    onSuccess: (list) => queries.setQueryData(savedSearchesQuery.queryKey, list),
  });
}
