import { api } from "@/lib/api-client";
import type { PostText, WorkingCopySaved } from "../../lib/types";
import { postUrl } from "../lib/post-url";

/** Save the text in the editor on the server; readers see nothing of it. */
export function saveWorkingCopy(id: string, text: PostText, revision: number): Promise<WorkingCopySaved> {
  return api.put<WorkingCopySaved>(`${postUrl(id)}/working-copy`, { body: { ...text, revision } });
}
