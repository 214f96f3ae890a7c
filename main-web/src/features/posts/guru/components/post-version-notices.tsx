import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import styles from "./editor.module.css";
import type { PostEditorState } from "../lib/use-post-editor";

/** Why the post is hidden, and what to choose when there is more than one version of the text. */
export function PostVersionNotices({ editor }: { editor: PostEditorState }) {
  const { replacedText } = editor;
  return (
    <>
      {editor.post.standing === "hidden" && (
        <Notice tone="danger">
          Our team hid this post: {editor.post.hiddenReason} You can change it, and visitors don't see it until we show
          it again. <Link to={paths.contact}>Write to us</Link> when it's fixed.
        </Notice>
      )}
      {editor.isRestored && (
        <Notice tone="warning">
          We restored unsaved changes from this device.{" "}
          <Button size="sm" variant="secondary" onClick={editor.dropRestoredDraft}>
            Use the saved version instead
          </Button>
        </Notice>
      )}
      {editor.autosave.state === "conflict" && (
        <Notice tone="warning">
          <p>This post was changed in another tab or on another device. Your changes aren't lost.</p>
          <div className={styles.choices}>
            <Button size="sm" onClick={() => void editor.resolveConflict(true)}>
              Keep my version
            </Button>
            <Button size="sm" variant="secondary" onClick={() => void editor.resolveConflict(false)}>
              Use the other version
            </Button>
          </div>
        </Notice>
      )}
      {replacedText && (
        <details className={styles.other} open>
          <summary>Your version</summary>
          <p>{replacedText.title}</p>
          <textarea readOnly rows={8} aria-label="Your version" value={replacedText.content} />
          <Button size="sm" variant="ghost" onClick={editor.hideReplacedText}>
            Discard
          </Button>
        </details>
      )}
    </>
  );
}
