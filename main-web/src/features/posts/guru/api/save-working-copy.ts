import { api } from "@/lib/api-client";
import type { PostText, WorkingCopySaved } from "../lib/types";

/** Save the text in the editor on the server; readers see nothing of it. */
export function saveWorkingCopy(id: string, text: PostText, revision: number): Promise<WorkingCopySaved> {
  return api.PUT("/guru/posts/{post_id}/working-copy", {
    params: { path: { post_id: id } },
    body: { ...text, revision },
  });
}
