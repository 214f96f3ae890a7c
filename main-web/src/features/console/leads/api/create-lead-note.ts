import { api } from "@/lib/api-client";
import type { ConsoleLead } from "../../lib/types";
import { leadUrl } from "../lib/lead-url";
import { useLeadMutation } from "../lib/use-lead-mutation";

/** Add a private note to a lead. */
export function useCreateLeadNote(id: string) {
  return useLeadMutation(id, (body: string) => api.post<ConsoleLead>(`${leadUrl(id)}/notes`, { body: { body } }));
}
