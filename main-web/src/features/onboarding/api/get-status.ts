import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { waitForSaves } from "@/lib/pending-saves";

export const statusQuery = (uid: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "status"],
    queryFn: async ({ signal }) => {
      await waitForSaves();
      return api.GET("/onboarding/status", { signal });
    },
  });

/** Get the progress of the wizard (SPEC 7.2). Each step reloads it: another device may have continued. */
export function useStatus() {
  return useQuery({ ...statusQuery(useCurrentUserId()), refetchOnMount: "always" });
}
