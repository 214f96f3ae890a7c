import { api } from "@/lib/api-client";

/** Download the receipt of a waiver: a ZIP file. */
export function downloadReceipt(waiverId: string): Promise<Blob> {
  return api.file(`/liability/waivers/${waiverId}/receipt`);
}
