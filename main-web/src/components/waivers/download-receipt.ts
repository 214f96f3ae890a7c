import { api } from "@/lib/api-client";
import { saveFile } from "@/lib/save-file";

/** Download the receipt of a waiver: a ZIP file. */
export async function downloadReceipt(waiverId: string) {
  saveFile(await api.file(`/liability/waivers/${waiverId}/receipt`), `porchlight-waiver-${waiverId}.zip`);
}
