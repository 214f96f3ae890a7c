import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { statusQuery } from "./get-status";
import type { WizardSkillsPayload } from "../lib/types";

/** Confirm the primary skills of the new site. */
export function useConfirmSkills() {
  const queries = useQueryClient();
  const uid = useCurrentUserId();
  return useMutation({
    mutationFn: (body: WizardSkillsPayload) => api.PUT("/onboarding/skills", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: statusQuery(uid).queryKey }),
  });
}
