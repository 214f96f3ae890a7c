import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid, type Status } from "./own";
import { savesSettled } from "./pending-saves";

export const statusQuery = (uid: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "status"],
    queryFn: async ({ signal }) => {
      await savesSettled();
      return api.get<Status>("/onboarding/status", { signal });
    },
  });

/** How far one is on the way to becoming a guru (SPEC 7.2). Each step asks anew: it may have gone on elsewhere. */
export function useStatus() {
  return useQuery({ ...statusQuery(useUid()), refetchOnMount: "always" });
}
