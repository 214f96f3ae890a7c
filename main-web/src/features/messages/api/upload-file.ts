import { api } from "@/lib/api-client";
import { fetchWithProgress } from "@/lib/fetch-with-progress";
import { isImageFile, UPLOAD_TIMEOUT_MS } from "@/lib/image-files";
import { preparePhoto } from "@/lib/prepare-photo";
import type { MessageFile } from "../lib/types";

/** Upload a file for a message that is being written; `onProgress` is called with the part sent so far, 0 to 1. */
export async function uploadFile(file: File, onProgress: (part: number) => void): Promise<MessageFile> {
  const content = isImageFile(file) ? await preparePhoto(file) : file;
  // A body without a type would have none in the request either.
  const body = content.type ? content : new Blob([content], { type: "application/octet-stream" });
  return api.POST("/messages/files", {
    params: { query: { name: file.name } },
    body,
    timeout: UPLOAD_TIMEOUT_MS,
    fetch: fetchWithProgress(onProgress),
  });
}
