import { api } from "@/lib/api-client";
import { usePostMutation } from "../lib/use-post-mutation";

/** Delete a post. */
export function useDeletePost() {
  return usePostMutation((id: string) => api.DELETE("/guru/posts/{post_id}", { params: { path: { post_id: id } } }));
}
