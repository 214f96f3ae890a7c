import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { statusQuery } from "./get-status";
import { wizardProfileQuery } from "./get-wizard-profile";
import { useUid, type WizardProfile } from "./own";
import type { ProfileValues } from "./profile-schema";

/** Finishes the profile step (SPEC 7.2). */
export function usePostProfile() {
  const queries = useQueryClient();
  const uid = useUid();
  return useMutation({
    mutationFn: (body: ProfileValues) => api.post<WizardProfile>("/onboarding/profile", { body }),
    onSuccess: (saved) => {
      queries.setQueryData(wizardProfileQuery(uid).queryKey, saved);
      void queries.invalidateQueries({ queryKey: statusQuery(uid).queryKey });
    },
  });
}
