import { api } from "@/lib/api-client";
import { postUrl } from "../lib/post-url";
import { usePostMutation } from "../lib/use-post-mutation";

/** Delete a post. */
export function useDeletePost() {
  return usePostMutation((id: string) => api.delete<unknown>(postUrl(id)));
}
