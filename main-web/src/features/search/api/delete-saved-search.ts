import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { SavedSearchList } from "../lib/types";
import { savedSearchesQuery } from "./get-saved-searches";

/** Delete a saved search. */
export function useDeleteSavedSearch() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete<SavedSearchList>(`/search/saved/${encodeURIComponent(id)}`),
    onSuccess: (list) => queries.setQueryData(savedSearchesQuery.queryKey, list),
  });
}
