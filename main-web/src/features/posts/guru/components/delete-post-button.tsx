import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Hint } from "@/components/ui/hint";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useDeletePost } from "../api/delete-post";
import { deleteLocalDraft } from "../lib/local-draft";
import type { PostEditorState } from "../lib/use-post-editor";

/** Deletes the post once the guru has confirmed it. */
export function DeletePostButton({ editor }: { editor: PostEditorState }) {
  const { post, text, autosave } = editor;
  const navigate = useNavigate();
  const remove = useDeletePost();
  const [isConfirming, setIsConfirming] = useState(false);

  async function confirmDelete() {
    try {
      await autosave.pause();
      await remove.mutateAsync(post.id);
      deleteLocalDraft(post.id);
      toast.success("Post deleted.");
      await navigate(paths.guruPosts);
    } catch (reason) {
      autosave.resume(false);
      toast.error(errorMessage(reason));
    }
  }

  return (
    <div>
      <Button size="sm" variant="ghost" onClick={() => setIsConfirming(true)}>
        Delete this post
      </Button>
      <Confirm
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Delete this post?"
        action="Delete permanently"
        busy={remove.isPending}
        onConfirm={() => void confirmDelete()}
      >
        <Hint>“{text.title || "Untitled"}” will be removed from your site. This can't be undone.</Hint>
      </Confirm>
    </div>
  );
}
