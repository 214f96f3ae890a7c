import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { waitForSaves } from "@/lib/pending-saves";

export const requirementsQuery = (uid: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "requirements"],
    queryFn: async ({ signal }) => {
      await waitForSaves();
      return api.GET("/onboarding/requirements", { signal });
    },
  });

/** List the documents that the user's categories require (SPEC 7.2). */
export function useRequirements() {
  return useQuery(requirementsQuery(useCurrentUserId()));
}
