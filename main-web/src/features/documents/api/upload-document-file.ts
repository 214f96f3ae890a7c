import { api } from "@/lib/api-client";
import { fetchWithProgress } from "@/lib/fetch-with-progress";
import { preparePhoto } from "@/lib/prepare-photo";
import type { UploadedFile } from "../lib/types";

/** Tell whether a file is a photo that browsers can scale down. */
export const isPhoto = ({ type }: File) => type === "image/jpeg" || type === "image/png";

/** Long enough for 10 MB from a phone with a weak signal. */
const UPLOAD_TIMEOUT_MS = 150_000;

/**
 * Upload a file as the request body; the `id` in the response goes into a document.
 * @param report called with the part sent so far, 0 to 1
 */
export async function uploadDocumentFile(file: File, report: (part: number) => void): Promise<UploadedFile> {
  return api.POST("/onboarding/documents/files", {
    params: { query: { name: file.name } },
    body: isPhoto(file) ? await preparePhoto(file, { type: "image/jpeg" }) : file,
    timeout: UPLOAD_TIMEOUT_MS,
    fetch: fetchWithProgress(report),
  });
}
