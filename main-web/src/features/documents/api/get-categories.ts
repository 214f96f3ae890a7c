import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Category } from "../lib/types";

/** List all categories (SPEC 7.2). */
export function useCategories() {
  return useQuery({
    queryKey: ["skills", "taxonomy"],
    queryFn: ({ signal }) => api.get<Category[]>("/skills/categories", { signal }),
    staleTime: 300_000,
  });
}
