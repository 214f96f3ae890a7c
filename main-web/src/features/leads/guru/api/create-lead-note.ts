import { api } from "@/lib/api-client";
import { useLeadMutation } from "../lib/use-lead-mutation";

/** Add a private note to a lead. */
export function useCreateLeadNote(id: string) {
  return useLeadMutation(id, (body: string) =>
    api.POST("/guru/leads/{lead_id}/notes", { params: { path: { lead_id: id } }, body: { body } }),
  );
}
