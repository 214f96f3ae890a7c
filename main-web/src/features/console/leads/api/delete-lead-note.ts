import { api } from "@/lib/api-client";
import type { ConsoleLead } from "../../lib/types";
import { leadUrl } from "../lib/lead-url";
import { useLeadMutation } from "../lib/use-lead-mutation";

/** Delete a private note of a lead. */
export function useDeleteLeadNote(id: string) {
  return useLeadMutation(id, (noteId: string) =>
    api.delete<ConsoleLead>(`${leadUrl(id)}/notes/${encodeURIComponent(noteId)}`),
  );
}
