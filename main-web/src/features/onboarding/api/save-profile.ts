import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { profileQuery } from "@/lib/session/get-profile";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { statusQuery } from "./get-status";
import { wizardProfileQuery } from "./get-wizard-profile";
import type { ProfileValues } from "../lib/profile-schema";

/** Complete the profile step (SPEC 7.2). The server fills in the empty parts of the account's profile from it. */
export function useSaveProfile() {
  const queries = useQueryClient();
  const uid = useCurrentUserId();
  return useMutation({
    mutationFn: (body: ProfileValues) => api.POST("/onboarding/profile", { body }),
    onSuccess: (saved) => {
      queries.setQueryData(wizardProfileQuery(uid).queryKey, saved);
      void queries.invalidateQueries({ queryKey: statusQuery(uid).queryKey });
      void queries.invalidateQueries({ queryKey: profileQuery(uid).queryKey });
    },
  });
}
