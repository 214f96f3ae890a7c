import { api } from "../../kit/api";
import type { Uploaded } from "./own";

/** Ten megabytes from a phone far from the next mast. */
const PATIENCE = 150_000;

/** Uploads a file; the answer's `id` goes into a document. The bytes themselves are the body. */
export function postFile(file: File): Promise<Uploaded> {
  return api.post<Uploaded>("/onboarding/documents/files", { query: { name: file.name }, body: file, timeout: PATIENCE });
}
