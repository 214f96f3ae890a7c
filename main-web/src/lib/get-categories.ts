import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export const categoriesQuery = queryOptions({
  queryKey: ["skills", "taxonomy"],
  queryFn: ({ signal }) => api.GET("/skills/categories", { signal }),
  staleTime: 300_000,
});

/** List all categories, also announced ones (SPEC 7.2). */
export function useCategories() {
  return useQuery(categoriesQuery);
}
