import { api } from "@/lib/api-client";
import type { ConsolePost, PostText } from "../../lib/types";
import { postUrl } from "../lib/post-url";
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
    api.put<ConsolePost>(postUrl(id), { body: { ...text, ...options } }),
  );
}
