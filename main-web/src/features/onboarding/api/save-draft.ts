import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { trackSave } from "@/lib/pending-saves";
import { statusQuery } from "./get-status";
import { wizardProfileQuery } from "./get-wizard-profile";
import type { ProfileValues } from "../lib/profile-schema";

export type Draft = Partial<ProfileValues> & { subdomain?: string };

/** Save a partial profile; missing fields stay unchanged. */
export function useSaveDraft() {
  const queries = useQueryClient();
  const uid = useCurrentUserId();
  return useCallback(
    async (body: Draft) => {
      const saved = await trackSave(api.PUT("/onboarding/draft", { body }));
      queries.setQueryData(wizardProfileQuery(uid).queryKey, saved);
      void queries.invalidateQueries({ queryKey: statusQuery(uid).queryKey });
    },
    [queries, uid],
  );
}
