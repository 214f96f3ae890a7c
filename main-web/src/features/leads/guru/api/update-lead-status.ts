import { api } from "@/lib/api-client";
import type { LeadStatus } from "../lib/types";
import { useLeadMutation } from "../lib/use-lead-mutation";

/** Set the status of a lead. */
export function useUpdateLeadStatus(id: string) {
  return useLeadMutation(id, (status: LeadStatus) =>
    api.PUT("/guru/leads/{lead_id}/status", { params: { path: { lead_id: id } }, body: { status } }),
  );
}
