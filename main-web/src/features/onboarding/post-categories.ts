import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "../../kit/api";
import { requirementsQuery } from "./get-requirements";
import { statusQuery } from "./get-status";
import { useUid, type Status } from "./own";
import { tracked } from "./pending-saves";

/** Makes these one's categories (SPEC 7.2). */
export function usePostCategories() {
  const queries = useQueryClient();
  const uid = useUid();
  return useCallback(
    async (categories: readonly string[]) => {
      const kept = await tracked(
        api.post<{ categories: string[] }>("/onboarding/categories", { body: { categories } }),
      );
      const { queryKey } = statusQuery(uid);
      const picks = Object.fromEntries(kept.categories.map((slug) => [slug, true]));
      queries.setQueryData<Status>(queryKey, (now) => now && { ...now, picks });
      void queries.invalidateQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: requirementsQuery(uid).queryKey });
    },
    [queries, uid],
  );
}
