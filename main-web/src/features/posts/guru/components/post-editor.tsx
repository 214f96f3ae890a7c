import { ArrowLeft, Eye, EyeOff } from "lucide-react";
import { useRef, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { safeHref } from "@/lib/safe-href";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { Confirm } from "@/components/ui/confirm";
import { useConsole, PreviewFrame } from "@/features/console/contract";
import { Hint } from "@/components/ui/hint";
import { ButtonRow, Stack } from "@/components/ui/stack";
import split from "@/components/split.module.css";
import { isEditConflict, errorMessage } from "@/lib/errors";
import styles from "./editor.module.css";
import { toSlug } from "../lib/slug";
import { deleteLocalDraft, readLocalDraft, isSameText } from "../lib/local-draft";
import { MarkdownField } from "./markdown-field";
import { deleteWorkingCopy } from "../api/delete-working-copy";
import { getPost } from "../api/get-post";
import { useDeletePost } from "../api/delete-post";
import { useUpdatePost } from "../api/update-post";
import { PublishDialog } from "./publish-dialog";
import type { ConsolePost, PostText } from "../lib/types";
import { usePostAutosave, type PostSaveState } from "../lib/use-post-autosave";
import { PostBadges } from "./post-badges";
import { ApiError } from "@porchlight/shared/client";
import { formatDateTime } from "@porchlight/shared/format/dates";

const SAVES: Record<PostSaveState, string> = {
  saved: "Saved",
  saving: "Saving…",
  waiting: "Unsaved changes",
  failed: "Not saved online yet. Saved on this device.",
  conflict: "Changed elsewhere. Your version is saved on this device.",
};

const latestTextOf = (post: ConsolePost) => post.workingCopy ?? post.saved;
const serverCopyOf = (post: ConsolePost) => ({
  text: latestTextOf(post),
  revision: post.revision,
  omissions: post.omissions,
});

/** The post editor: autosaved while typing, previewed as the real page, published on demand. */
export function PostEditor({ post: first }: { post: ConsolePost }) {
  const guru = useConsole();
  const navigate = useNavigate();
  const [post, setPost] = useState(first);
  const [initialDraft] = useState(() => {
    const localDraft = readLocalDraft(first.id);
    return localDraft && !isSameText(localDraft, latestTextOf(first)) ? localDraft : null;
  });
  const [isRestored, setIsRestored] = useState(initialDraft !== null);
  const [text, setText] = useState<PostText>(initialDraft ?? latestTextOf(first));
  const [tags, setTags] = useState(text.tags.join(", "));
  const [discardedText, setDiscardedText] = useState<PostText | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  const [publishing, setPublishing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const autosave = usePostAutosave(first.id, text, serverCopyOf(first));
  const save = useUpdatePost();
  const remove = useDeletePost();
  const titleField = useRef<HTMLInputElement>(null);

  const change = (part: Partial<PostText>) => {
    setText((current) => ({ ...current, ...part }));
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([name]) => !(name in part))));
  };

  function loadPost(latestPost: ConsolePost, text = latestTextOf(latestPost)) {
    setPost(latestPost);
    setText(text);
    setTags(text.tags.join(", "));
    autosave.settle(serverCopyOf(latestPost));
  }

  async function write(status: "draft" | "published", publishedAt: string | null, done: string): Promise<boolean> {
    const revision = await autosave.pause();
    const submittedText = text;
    try {
      const saved = await save.mutateAsync({ id: post.id, text: submittedText, revision, status, publishedAt });
      setPost(saved);
      setIsRestored(false);
      setErrors({});
      // Take the server's normalized slug and tags, unless the text changed during the request.
      setText((current) => (isSameText(current, submittedText) ? saved.saved : current));
      setTags(saved.saved.tags.join(", "));
      autosave.settle(serverCopyOf(saved));
      deleteLocalDraft(post.id);
      toast.success(done);
      return true;
    } catch (reason) {
      autosave.resume(isEditConflict(reason));
      if (!isEditConflict(reason)) toast.error(errorMessage(reason));
      if (reason instanceof ApiError) {
        setErrors(reason.fields);
        if (reason.fields.title) titleField.current?.focus();
      }
      return false;
    }
  }

  async function resolveConflict(keepLocalText: boolean) {
    try {
      const latestPost = await getPost(post.id);
      if (keepLocalText) {
        loadPost(latestPost, text);
      } else {
        setDiscardedText(text);
        loadPost(latestPost);
        deleteLocalDraft(post.id);
      }
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  async function discard() {
    setDiscarding(true);
    try {
      const revision = await autosave.pause();
      const { revision: next, omissions } = await deleteWorkingCopy(post.id, revision);
      loadPost({ ...post, workingCopy: null, revision: next, omissions });
      deleteLocalDraft(post.id);
      setIsRestored(false);
    } catch (reason) {
      autosave.resume(isEditConflict(reason));
      if (!isEditConflict(reason)) toast.error(errorMessage(reason));
    } finally {
      setDiscarding(false);
    }
  }

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

  const live = post.standing !== "draft";
  const changed = !isSameText(text, post.saved);
  return (
    <>
      <div className={styles.bar}>
        <Link to={paths.guruPosts} className={styles.back}>
          <ArrowLeft size={16} aria-hidden="true" />
          Posts
        </Link>
        <PostBadges status={post.standing} hasEdits={changed} />
        {post.standing === "scheduled" && post.publishedAt && (
          <Hint as="span">for {formatDateTime(post.publishedAt)}</Hint>
        )}
        <p className={styles.state} role="status">
          {SAVES[autosave.state]}
        </p>
        {post.standing === "published" && guru.status === "active" && (
          <a
            href={safeHref(`${guru.address}/blog/${post.slug}`)}
            target="_blank"
            rel="noopener"
            className={styles.view}
          >
            View on your site
          </a>
        )}
      </div>

      {isRestored && (
        <Notice tone="warning">
          We restored unsaved changes from this device.{" "}
          <Button
            size="sm"
            variant="secondary"
            onClick={() => {
              loadPost(post);
              deleteLocalDraft(post.id);
              setIsRestored(false);
            }}
          >
            Use the saved version instead
          </Button>
        </Notice>
      )}
      {autosave.state === "conflict" && (
        <Notice tone="warning">
          <p>This post was changed in another tab or on another device. Your changes aren't lost.</p>
          <div className={styles.choices}>
            <Button size="sm" onClick={() => void resolveConflict(true)}>
              Keep my version
            </Button>
            <Button size="sm" variant="secondary" onClick={() => void resolveConflict(false)}>
              Use the other version
            </Button>
          </div>
        </Notice>
      )}
      {discardedText && (
        <details className={styles.other} open>
          <summary>Your version</summary>
          <p>{discardedText.title}</p>
          <textarea readOnly rows={8} aria-label="Your version" value={discardedText.content} />
          <Button size="sm" variant="ghost" onClick={() => setDiscardedText(null)}>
            Discard
          </Button>
        </details>
      )}

      <div className={split.split} data-wide="true" data-looking={isPreviewOpen}>
        <Stack>
          <h1 className="visually-hidden">Edit “{text.title || "Untitled"}”</h1>
          <Field label="Title" error={errors.title}>
            <Input
              ref={titleField}
              className={styles.title}
              maxLength={200}
              autoComplete="off"
              value={text.title}
              onChange={(event) => change({ title: event.target.value })}
            />
          </Field>
          <MarkdownField
            value={text.content}
            error={errors.content}
            omissions={autosave.omissions}
            onChange={(content) => change({ content })}
          />
          <details className={styles.more} open={Boolean(errors.slug ?? errors.tags ?? errors.excerpt) || undefined}>
            <summary>Address, tags and excerpt</summary>
            <Stack>
              <Field
                label="Address"
                optional
                hint={text.slug ? `/blog/${text.slug}` : "Leave blank to create it from the title."}
                error={errors.slug}
              >
                <Input
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={120}
                  value={text.slug}
                  onChange={(event) => change({ slug: toSlug(event.target.value) })}
                />
              </Field>
              <Field label="Tags" optional hint="Separate with commas. Cards show the first three." error={errors.tags}>
                <Input
                  autoComplete="off"
                  value={tags}
                  onChange={(event) => {
                    setTags(event.target.value);
                    change({ tags: parseTags(event.target.value) });
                  }}
                />
              </Field>
              <Field
                label="Excerpt"
                optional
                hint="Leave blank to show the beginning of the post."
                error={errors.excerpt}
              >
                <TextArea
                  rows={3}
                  maxLength={400}
                  value={text.excerpt}
                  onChange={(event) => change({ excerpt: oneLine(event.target.value) })}
                />
              </Field>
              <div>
                <Button size="sm" variant="ghost" onClick={() => setDeleting(true)}>
                  Delete this post
                </Button>
              </div>
            </Stack>
          </details>
          <div className={split.save}>
            <ButtonRow>
              {live ? (
                <>
                  <Button
                    loading={save.isPending}
                    disabled={!changed || autosave.state === "conflict"}
                    onClick={() => void write("published", post.publishedAt, "Saved. Your changes are live.")}
                  >
                    {post.standing === "scheduled" ? "Save" : "Update post"}
                  </Button>
                  <Button
                    variant="secondary"
                    disabled={save.isPending || autosave.state === "conflict"}
                    onClick={() => void write("draft", null, "Moved back to drafts.")}
                  >
                    {post.standing === "scheduled" ? "Unschedule" : "Unpublish"}
                  </Button>
                </>
              ) : (
                <Button disabled={save.isPending || autosave.state === "conflict"} onClick={() => setPublishing(true)}>
                  Publish…
                </Button>
              )}
              <Button variant="secondary" aria-pressed={isPreviewOpen} onClick={() => setIsPreviewOpen(!isPreviewOpen)}>
                {isPreviewOpen ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
                {isPreviewOpen ? "Hide preview" : "Preview"}
              </Button>
              {live && changed && (
                <Button variant="ghost" loading={discarding} onClick={() => void discard()}>
                  Discard changes
                </Button>
              )}
            </ButtonRow>
          </div>
        </Stack>
        {isPreviewOpen && (
          <aside className={split.aside} aria-label="Preview">
            {guru.status !== "active" ? (
              <Notice>Publish your site to see a preview.</Notice>
            ) : (
              <PreviewFrame of={{ page: "/blog/[slug]", post: text }} title="Preview of your post" device="phone" />
            )}
          </aside>
        )}
      </div>

      <PublishDialog
        open={publishing}
        onOpenChange={setPublishing}
        busy={save.isPending}
        onPublish={async (at) => {
          const done = at
            ? `Scheduled for ${formatDateTime(at)}.`
            : guru.status === "active"
              ? "Published. Your post is live."
              : "Published. It goes live with your site.";
          await write(
            "published",
            at ?? (post.publishedAt && new Date(post.publishedAt) < new Date() ? post.publishedAt : null),
            done,
          );
          setPublishing(false);
        }}
      />
      <Confirm
        open={deleting}
        onOpenChange={setDeleting}
        title="Delete this post?"
        action="Delete permanently"
        busy={remove.isPending}
        onConfirm={() => void confirmDelete()}
      >
        <Hint>“{text.title || "Untitled"}” will be removed from your site. This can't be undone.</Hint>
      </Confirm>
    </>
  );
}

const oneLine = (text: string) => text.replace(/[\r\n\t]+/g, " ");

function parseTags(text: string): string[] {
  return [...new Set(text.split(/[,，、]/).map((tag) => tag.trim()))].filter(Boolean).slice(0, 12);
}
