import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { requirementsQuery } from "@/features/documents/contract";
import { trackSave } from "@/lib/pending-saves";
import { statusQuery } from "./get-status";
import type { Status } from "../lib/types";

/** Replace the user's categories (SPEC 7.2). */
export function useSaveCategories() {
  const queries = useQueryClient();
  const uid = useCurrentUserId();
  return useCallback(
    async (categories: readonly string[]) => {
      const saved = await trackSave(api.POST("/onboarding/categories", { body: { categories: [...categories] } }));
      const { queryKey } = statusQuery(uid);
      const picks = Object.fromEntries(saved.categories.map((slug) => [slug, true]));
      queries.setQueryData<Status>(queryKey, (current) => current && { ...current, picks });
      void queries.invalidateQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: requirementsQuery(uid).queryKey });
    },
    [queries, uid],
  );
}
