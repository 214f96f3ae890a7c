import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { TaxonomyCategory } from "./own";

export const taxonomyQuery = queryOptions({
  queryKey: ["skills", "taxonomy"],
  queryFn: ({ signal }) => api.get<TaxonomyCategory[]>("/skills/categories", { signal }),
  staleTime: 300_000,
});

/** Every category that can be offered, and those announced (SPEC 7.2). */
export function useTaxonomy() {
  return useQuery(taxonomyQuery);
}
