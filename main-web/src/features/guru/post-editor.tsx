import { ArrowLeft, Eye, EyeOff } from "lucide-react";
import { useRef, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { safeHref } from "../../kit/safe-href";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Field, Input, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { Confirm } from "./confirm";
import { useConsole } from "./console-layout";
import console_ from "./console.module.css";
import styles from "./editor.module.css";
import { dropLocal, readLocal, sameWords } from "./local-copy";
import { MarkdownField } from "./markdown-field";
import { discardChanges, getPost, useDeletePost, useSavePost } from "./post-calls";
import { PreviewFrame } from "./preview-frame";
import { PublishDialog } from "./publish-dialog";
import split from "./split.module.css";
import type { DeskPost, Words } from "./types";
import { useAutosave, type SaveState } from "./use-autosave";
import { changedElsewhere, moment, STANDING_TONES, STANDINGS, why } from "./words";
import { ApiError } from "@porchlight/shared/client";

const SAVES: Record<SaveState, string> = {
  saved: "All changes saved",
  saving: "Saving…",
  waiting: "Unsaved changes",
  kept: "Not saved online yet; kept on this device",
  conflict: "Changed elsewhere; kept on this device",
};

const newestOf = (post: DeskPost) => post.workingCopy ?? post.saved;

/** Writes a post: autosaved as one goes, previewed as the real page, saved for readers only when one says so. */
export function PostEditor({ post: first }: { post: DeskPost }) {
  const guru = useConsole();
  const navigate = useNavigate();
  const [post, setPost] = useState(first);
  const [local] = useState(() => {
    const kept = readLocal(first.id);
    return kept && !sameWords(kept, newestOf(first)) ? kept : null;
  });
  const [found, setFound] = useState(local !== null);
  const [words, setWords] = useState<Words>(local ?? newestOf(first));
  const [tags, setTags] = useState(words.tags.join(", "));
  const [other, setOther] = useState<Words | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [looking, setLooking] = useState(false);
  const [publishing, setPublishing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const auto = useAutosave(first.id, words, { words: newestOf(first), revision: first.revision });
  const save = useSavePost();
  const remove = useDeletePost();
  const titleField = useRef<HTMLInputElement>(null);

  const change = (part: Partial<Words>) => {
    setWords((now) => ({ ...now, ...part }));
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in part))));
  };

  function take(fresh: DeskPost, text = newestOf(fresh)) {
    setPost(fresh);
    setWords(text);
    setTags(text.tags.join(", "));
    auto.settle({ words: newestOf(fresh), revision: fresh.revision });
  }

  async function write(status: "draft" | "published", publishedAt: string | null, done: string): Promise<boolean> {
    const revision = await auto.pause();
    const sent = words;
    try {
      const saved = await save.mutateAsync({ id: post.id, words: sent, revision, status, publishedAt });
      setPost(saved);
      setFound(false);
      setErrors({});
      // The server's own spelling of address and tags, and whatever was typed while the answer was on its way.
      setWords((now) => (sameWords(now, sent) ? saved.saved : now));
      setTags(saved.saved.tags.join(", "));
      auto.settle({ words: saved.saved, revision: saved.revision });
      dropLocal(post.id);
      toast.success(done);
      return true;
    } catch (reason) {
      auto.resume(changedElsewhere(reason));
      if (!changedElsewhere(reason)) toast.error(why(reason));
      if (reason instanceof ApiError) {
        setErrors(reason.fields);
        if (reason.fields.title) titleField.current?.focus();
      }
      return false;
    }
  }

  async function settle(mine: boolean) {
    try {
      const fresh = await getPost(post.id);
      if (mine) {
        take(fresh, words);
      } else {
        setOther(words);
        take(fresh);
        dropLocal(post.id);
      }
    } catch (reason) {
      toast.error(why(reason));
    }
  }

  async function discard() {
    try {
      const revision = await auto.pause();
      const { revision: next } = await discardChanges(post.id, revision);
      take({ ...post, workingCopy: null, revision: next });
      dropLocal(post.id);
      setFound(false);
    } catch (reason) {
      auto.resume(changedElsewhere(reason));
      if (!changedElsewhere(reason)) toast.error(why(reason));
    }
  }

  async function erase() {
    try {
      await auto.pause();
      await remove.mutateAsync(post.id);
      dropLocal(post.id);
      toast.success("The post is deleted.");
      await navigate(paths.guruPosts);
    } catch (reason) {
      auto.resume(false);
      toast.error(why(reason));
    }
  }

  const live = post.standing !== "draft";
  const changed = !sameWords(words, post.saved);
  return (
    <>
      <div className={styles.bar}>
        <Link to={paths.guruPosts} className={styles.back}>
          <ArrowLeft size={16} aria-hidden="true" />
          Posts
        </Link>
        <Badge tone={STANDING_TONES[post.standing]}>{STANDINGS[post.standing]}</Badge>
        {post.standing === "scheduled" && post.publishedAt && <span className={console_.hint}>for {moment(post.publishedAt)}</span>}
        <p className={styles.state} role="status">
          {auto.state === "saved" && live && changed ? "Saved for you; readers do not see it yet" : SAVES[auto.state]}
        </p>
        {post.standing === "published" && guru.status === "active" && (
          <a href={safeHref(`${guru.address}/blog/${post.slug}`)} target="_blank" rel="noopener" className={styles.view}>
            View on your site
          </a>
        )}
      </div>

      {found && (
        <Notice tone="lamp">
          We kept what you typed on this device before it could be saved, and put it back.{" "}
          <Button size="sm" variant="secondary" onClick={() => { take(post); dropLocal(post.id); setFound(false); }}>
            Use the saved version instead
          </Button>
        </Notice>
      )}
      {auto.state === "conflict" && (
        <Notice tone="lamp">
          <p>This post was changed in another tab or on another device. Nothing you wrote here is lost.</p>
          <div className={styles.choices}>
            <Button size="sm" onClick={() => void settle(true)}>
              Keep what I wrote here
            </Button>
            <Button size="sm" variant="secondary" onClick={() => void settle(false)}>
              Take the other version
            </Button>
          </div>
        </Notice>
      )}
      {other && (
        <details className={styles.other} open>
          <summary>What you had written here</summary>
          <p>{other.title}</p>
          <textarea readOnly rows={8} aria-label="What you had written here" value={other.content} />
          <Button size="sm" variant="ghost" onClick={() => setOther(null)}>
            Throw it away
          </Button>
        </details>
      )}

      <div className={split.split} data-wide="true" data-looking={looking}>
        <div className={console_.form}>
          <h1 className="visually-hidden">Edit “{words.title || "Untitled"}”</h1>
          <Field label="Title" error={errors.title}>
            <Input
              ref={titleField}
              className={styles.title}
              maxLength={200}
              autoComplete="off"
              value={words.title}
              onChange={(event) => change({ title: event.target.value })}
            />
          </Field>
          <MarkdownField value={words.content} error={errors.content} onChange={(content) => change({ content })} />
          <details className={styles.more} open={Boolean(errors.slug ?? errors.tags ?? errors.excerpt) || undefined}>
            <summary>Address, tags and excerpt</summary>
            <div className={console_.form}>
              <Field
                label="Address"
                optional
                hint={words.slug ? `/blog/${words.slug}` : "Left empty, it is made from the title."}
                error={errors.slug}
              >
                <Input
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={120}
                  value={words.slug}
                  onChange={(event) => change({ slug: slugged(event.target.value) })}
                />
              </Field>
              <Field label="Tags" optional hint="With commas between them. Cards show the first three." error={errors.tags}>
                <Input
                  autoComplete="off"
                  value={tags}
                  onChange={(event) => {
                    setTags(event.target.value);
                    change({ tags: listed(event.target.value) });
                  }}
                />
              </Field>
              <Field label="Excerpt" optional hint="Without one, cards show the beginning of the post." error={errors.excerpt}>
                <TextArea rows={3} maxLength={400} value={words.excerpt} onChange={(event) => change({ excerpt: oneLine(event.target.value) })} />
              </Field>
              <div>
                <Button size="sm" variant="ghost" onClick={() => setDeleting(true)}>
                  Delete this post
                </Button>
              </div>
            </div>
          </details>
          <div className={split.save}>
            <div className={console_.buttons}>
              {live ? (
                <>
                  <Button loading={save.isPending} disabled={!changed || auto.state === "conflict"} onClick={() => void write("published", post.publishedAt, "Saved. Readers see it now.")}>
                    {post.standing === "scheduled" ? "Save" : "Update post"}
                  </Button>
                  <Button variant="secondary" disabled={save.isPending || auto.state === "conflict"} onClick={() => void write("draft", null, "It is a draft again.")}>
                    {post.standing === "scheduled" ? "Unschedule" : "Unpublish"}
                  </Button>
                </>
              ) : (
                <Button disabled={save.isPending || auto.state === "conflict"} onClick={() => setPublishing(true)}>
                  Publish…
                </Button>
              )}
              <Button variant="secondary" aria-pressed={looking} onClick={() => setLooking(!looking)}>
                {looking ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
                {looking ? "Hide preview" : "Preview"}
              </Button>
              {live && changed && (
                <Button variant="ghost" onClick={() => void discard()}>
                  Discard changes
                </Button>
              )}
            </div>
          </div>
        </div>
        {looking && (
          <aside className={split.aside} aria-label="Preview">
            {guru.status !== "active" ? (
              <Notice>There is a preview while your site is live: it is drawn on your own address.</Notice>
            ) : (
              <PreviewFrame of={{ page: "/blog/[slug]", post: words }} title="Preview of your post" device="phone" />
            )}
          </aside>
        )}
      </div>

      <PublishDialog
        open={publishing}
        onOpenChange={setPublishing}
        busy={save.isPending}
        onPublish={async (at) => {
          const done = at ? `Scheduled for ${moment(at)}.` : "Published. It is on your site now.";
          await write("published", at ?? (post.publishedAt && new Date(post.publishedAt) < new Date() ? post.publishedAt : null), done);
          setPublishing(false);
        }}
      />
      <Confirm open={deleting} onOpenChange={setDeleting} title="Delete this post?" action="Delete for good" busy={remove.isPending} onConfirm={() => void erase()}>
        <p className={console_.hint}>“{words.title || "Untitled"}” disappears from your site. This cannot be undone.</p>
      </Confirm>
    </>
  );
}

const oneLine = (text: string) => text.replace(/[\r\n\t]+/g, " ");

function listed(text: string): string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()))].filter(Boolean).slice(0, 12);
}

/** What an address may hold, as one types. */
function slugged(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9-]+/g, "-").replace(/^-+/, "");
}
