import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Category } from "../lib/types";

export const categoriesQuery = queryOptions({
  queryKey: ["skills", "taxonomy"],
  queryFn: ({ signal }) => api.get<Category[]>("/skills/categories", { signal }),
  staleTime: 300_000,
});

/** List all categories, also announced ones (SPEC 7.2). */
export function useCategories() {
  return useQuery(categoriesQuery);
}
