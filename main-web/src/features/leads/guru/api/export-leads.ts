import { api } from "@/lib/api-client";

/** Download all leads as a CSV file. */
export function exportLeads(): Promise<Blob> {
  return api.FILE("/guru/lead-export");
}
