import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { waitForSaves } from "@/lib/pending-saves";

const skillProposalsQuery = (uid: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "skill-proposals"],
    queryFn: async ({ signal }) => {
      await waitForSaves();
      return api.GET("/onboarding/skill-proposals", { signal });
    },
  });

/** Get skills to choose from: what the saved bio is about, then those of the chosen categories. */
export function useSkillProposals() {
  return useQuery({ ...skillProposalsQuery(useCurrentUserId()), refetchOnMount: "always" });
}
