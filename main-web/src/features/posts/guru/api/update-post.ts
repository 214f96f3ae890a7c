import { api } from "@/lib/api-client";
import type { PostText } from "../lib/types";
import { usePostMutation } from "../lib/use-post-mutation";

type PostUpdate = {
  id: string;
  text: PostText;
  revision: number;
  status: "draft" | "published";
  publishedAt: string | null;
};

/** Save a post as a draft, or publish it now or at a later time. */
export function useUpdatePost() {
  return usePostMutation(({ id, text, ...options }: PostUpdate) =>
    api.PUT("/guru/posts/{post_id}", { params: { path: { post_id: id } }, body: { ...text, ...options } }),
  );
}
