import { api } from "@/lib/api-client";
import type { WorkingCopySaved } from "../lib/types";

/** Discard the unpublished changes of a post. */
export function deleteWorkingCopy(id: string, revision: number): Promise<WorkingCopySaved> {
  return api.DELETE("/guru/posts/{post_id}/working-copy", { params: { path: { post_id: id }, query: { revision } } });
}
