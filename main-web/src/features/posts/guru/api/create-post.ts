import { api } from "@/lib/api-client";
import type { PostText } from "../lib/types";
import { usePostMutation } from "../lib/use-post-mutation";

/** Create a draft. */
export function useCreatePost() {
  return usePostMutation((text: PostText) => api.POST("/guru/posts", { body: text }));
}
