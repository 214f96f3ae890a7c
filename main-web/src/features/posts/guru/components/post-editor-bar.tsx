import { paths } from "@/config/paths";
import { safeHref } from "@/lib/safe-href";
import { useConsole } from "@/features/console/contract";
import { BackLink } from "@/components/ui/back-link";
import { Hint } from "@/components/ui/hint";
import styles from "./editor.module.css";
import type { PostSaveState } from "../lib/use-post-autosave";
import type { PostEditorState } from "../lib/use-post-editor";
import { PostBadges } from "./post-badges";
import { formatDateTime } from "@porchlight/shared/format/dates";

const SAVES: Record<PostSaveState, string> = {
  saved: "Saved",
  saving: "Saving…",
  waiting: "Unsaved changes",
  failed: "Not saved online yet. Saved on this device.",
  conflict: "Changed elsewhere. Your version is saved on this device.",
};

/** The line above the editor: the way back, the post's status, and whether the text is saved. */
export function PostEditorBar({ editor }: { editor: PostEditorState }) {
  const guru = useConsole();
  const { post } = editor;
  return (
    <div className={styles.bar}>
      <BackLink to={paths.guruPosts}>Posts</BackLink>
      <PostBadges status={post.standing} hasEdits={editor.isChanged} />
      {post.standing === "scheduled" && post.publishedAt && (
        <Hint as="span">for {formatDateTime(post.publishedAt)}</Hint>
      )}
      <p className={styles.state} role="status">
        {SAVES[editor.autosave.state]}
      </p>
      {post.standing === "published" && guru.status === "active" && (
        <a href={safeHref(`${guru.address}/blog/${post.slug}`)} target="_blank" rel="noopener" className={styles.view}>
          View on your site
        </a>
      )}
    </div>
  );
}
