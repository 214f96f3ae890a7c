import { api } from "../../../kit/api";
import type { StaffPaper } from "./get-pending";

/** Has it written down that a link to elsewhere was opened. Uploads write down themselves who opens them. */
export function noteOpening(paper: StaffPaper) {
  if (paper.file_kind) return;
  api.post(`/documents/${paper.uid}/${paper.id}/openings`).catch((reason: unknown) => {
    console.warn("Opening a document could not be written down.", reason);
  });
}
