import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "../../kit/api";
import { statusQuery } from "./get-status";
import { wizardProfileQuery } from "./get-wizard-profile";
import { useUid, type WizardProfile } from "./own";
import { tracked } from "./pending-saves";
import type { ProfileValues } from "./profile-schema";

export type Draft = Partial<ProfileValues> & { subdomain?: string };

/** Keeps what was typed so far, however unfinished; what is not named stays. */
export function usePutDraft() {
  const queries = useQueryClient();
  const uid = useUid();
  return useCallback(
    async (body: Draft) => {
      const saved = await tracked(api.put<WizardProfile>("/onboarding/draft", { body }));
      queries.setQueryData(wizardProfileQuery(uid).queryKey, saved);
      void queries.invalidateQueries({ queryKey: statusQuery(uid).queryKey });
    },
    [queries, uid],
  );
}
