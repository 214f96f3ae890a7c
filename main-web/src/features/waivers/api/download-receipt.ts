import { api } from "@/lib/api-client";
import { saveFile } from "@/lib/save-file";

/** Download the receipt of a waiver: a ZIP file. */
export async function downloadReceipt(waiverId: string) {
  saveFile(
    await api.FILE("/liability/waivers/{waiver_id}/receipt", { params: { path: { waiver_id: waiverId } } }),
    `porchlight-waiver-${waiverId}.zip`,
  );
}
