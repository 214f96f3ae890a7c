import { api } from "../../kit/api";
import { uploading } from "../../kit/uploading";
import type { Uploaded } from "./own";

/** Ten megabytes from a phone far from the next mast. */
const PATIENCE = 150_000;

/**
 * Uploads a file; the answer's `id` goes into a document. The bytes themselves are the body.
 * @param report told how much has been sent, 0 to 1
 */
export function postFile(file: File, report: (part: number) => void): Promise<Uploaded> {
  return api.post<Uploaded>("/onboarding/documents/files", {
    query: { name: file.name },
    body: file,
    timeout: PATIENCE,
    carry: uploading(report),
  });
}
