import { api } from "@/lib/api-client";
import { usePostMutation } from "../lib/use-post-mutation";

/** Turn a published or scheduled post back into a draft. */
export function useUnpublishPost() {
  return usePostMutation((id: string) =>
    api.DELETE("/guru/posts/{post_id}/publication", { params: { path: { post_id: id } } }),
  );
}
