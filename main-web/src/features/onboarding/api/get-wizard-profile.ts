import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { waitForSaves } from "@/lib/pending-saves";

export const wizardProfileQuery = (uid: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "profile"],
    queryFn: async ({ signal }) => {
      await waitForSaves();
      return api.GET("/onboarding/profile", { signal });
    },
  });

/** Get the profile step as last saved, complete or not. Each step reloads it: another device may save too. */
export function useWizardProfile() {
  return useQuery({ ...wizardProfileQuery(useCurrentUserId()), refetchOnMount: "always" });
}
