import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid, type WizardProfile } from "./own";
import { savesSettled } from "./pending-saves";

export const wizardProfileQuery = (uid: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "profile"],
    queryFn: async ({ signal }) => {
      await savesSettled();
      return api.get<WizardProfile>("/onboarding/profile", { signal });
    },
  });

/** The profile step as it was last saved, finished or not; asked anew by each screen, as another device may save too. */
export function useWizardProfile() {
  return useQuery({ ...wizardProfileQuery(useUid()), refetchOnMount: "always" });
}
