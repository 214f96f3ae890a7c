import { useMutation, useQueryClient } from "@tanstack/react-query";
import { myGuruQuery } from "@/features/console/contract";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { ConsoleLead } from "./types";
import { leadQuery } from "../api/get-lead";
import { leadsKey } from "../api/get-leads";

/** Run a request that returns the changed lead, and refresh the lists and counts that show it. */
export function useLeadMutation<Variables>(id: string, mutationFn: (variables: Variables) => Promise<ConsoleLead>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    // One after the other: a late answer to "mark as read" would hide that the lead was replied to.
    scope: { id: `lead ${id}` },
    mutationFn,
    onSuccess: (lead) => {
      queries.setQueryData(leadQuery(userId, id).queryKey, lead);
      void queries.invalidateQueries({ queryKey: leadsKey(userId) });
      void queries.invalidateQueries({ queryKey: myGuruQuery(userId).queryKey });
    },
  });
}
