import { api } from "@/lib/api-client";
import type { ConsolePost } from "../../lib/types";
import { postUrl } from "../lib/post-url";
import { usePostMutation } from "../lib/use-post-mutation";

/** Turn a published or scheduled post back into a draft. */
export function useUnpublishPost() {
  return usePostMutation((id: string) => api.delete<ConsolePost>(`${postUrl(id)}/publication`));
}
