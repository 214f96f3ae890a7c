import { api } from "@/lib/api-client";
import { useLeadMutation } from "../lib/use-lead-mutation";

/** Delete a private note of a lead. */
export function useDeleteLeadNote(id: string) {
  return useLeadMutation(id, (noteId: string) =>
    api.DELETE("/guru/leads/{lead_id}/notes/{note_id}", { params: { path: { lead_id: id, note_id: noteId } } }),
  );
}
