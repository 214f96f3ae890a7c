import { api } from "@/lib/api-client";
import type { WorkingCopySaved } from "../../lib/types";
import { postUrl } from "../lib/post-url";

/** Discard the unpublished changes of a post. */
export function deleteWorkingCopy(id: string, revision: number): Promise<WorkingCopySaved> {
  return api.delete<WorkingCopySaved>(`${postUrl(id)}/working-copy`, { query: { revision } });
}
