import { api } from "@/lib/api-client";
import type { ConsoleLead, LeadStatus } from "../../lib/types";
import { leadUrl } from "../lib/lead-url";
import { useLeadMutation } from "../lib/use-lead-mutation";

/** Set the status of a lead. */
export function useUpdateLeadStatus(id: string) {
  return useLeadMutation(id, (status: LeadStatus) =>
    api.put<ConsoleLead>(`${leadUrl(id)}/status`, { body: { status } }),
  );
}
