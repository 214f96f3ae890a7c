import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { Category } from "./own";

/** Every category, to say what a document is for (SPEC 7.2). */
export function useCategories() {
  return useQuery({
    queryKey: ["skills", "taxonomy"],
    queryFn: ({ signal }) => api.get<Category[]>("/skills/categories", { signal }),
    staleTime: 300_000,
  });
}
