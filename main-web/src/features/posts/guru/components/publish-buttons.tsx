import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useConsole } from "@/features/console/contract";
import type { PostEditorState } from "../lib/use-post-editor";
import { PublishDialog } from "./publish-dialog";
import { formatDateTime } from "@porchlight/shared/format/dates";

/** Publishes a draft; updates or unpublishes a post that is published or scheduled; saves a hidden one. */
export function PublishButtons({ editor }: { editor: PostEditorState }) {
  const { post } = editor;
  const guru = useConsole();
  const [isPublishing, setIsPublishing] = useState(false);
  const isScheduled = post.standing === "scheduled";
  const hasConflict = editor.autosave.state === "conflict";

  function doneText(at: string | null): string {
    if (at) return `Scheduled for ${formatDateTime(at)}.`;
    return guru.status === "active" ? "Published. Your post is live." : "Published. It goes live with your site.";
  }

  async function publish(at: string | null) {
    const before = post.publishedAt && new Date(post.publishedAt) < new Date() ? post.publishedAt : null;
    await editor.save("published", at ?? before, doneText(at));
    setIsPublishing(false);
  }

  if (post.standing === "hidden")
    return (
      <Button
        loading={editor.isSaving}
        disabled={!editor.isChanged || hasConflict}
        onClick={() => void editor.save("draft", null, "Saved. The post stays hidden until our team shows it again.")}
      >
        Save
      </Button>
    );
  return (
    <>
      {post.standing === "draft" ? (
        <Button disabled={editor.isSaving || hasConflict} onClick={() => setIsPublishing(true)}>
          Publish…
        </Button>
      ) : (
        <>
          <Button
            loading={editor.isSaving}
            disabled={!editor.isChanged || hasConflict}
            onClick={() => void editor.save("published", post.publishedAt, "Saved. Your changes are live.")}
          >
            {isScheduled ? "Save" : "Update post"}
          </Button>
          <Button
            variant="secondary"
            disabled={editor.isSaving || hasConflict}
            onClick={() => void editor.save("draft", null, "Moved back to drafts.")}
          >
            {isScheduled ? "Unschedule" : "Unpublish"}
          </Button>
        </>
      )}
      <PublishDialog open={isPublishing} onOpenChange={setIsPublishing} busy={editor.isSaving} onPublish={publish} />
    </>
  );
}
