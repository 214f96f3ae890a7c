import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid, type Needed } from "./own";
import { savesSettled } from "./pending-saves";

export const requirementsQuery = (uid: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "requirements"],
    queryFn: async ({ signal }) => {
      await savesSettled();
      return api.get<{ needed: Needed[] }>("/onboarding/requirements", { signal });
    },
  });

/** What one's categories want to be shown (SPEC 7.2). */
export function useRequirements() {
  return useQuery(requirementsQuery(useUid()));
}
