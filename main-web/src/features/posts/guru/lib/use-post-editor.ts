import { useState } from "react";
import { toast } from "@/lib/toast-store";
import { isEditConflict, errorMessage } from "@/lib/errors";
import { deleteWorkingCopy } from "../api/delete-working-copy";
import { getPost } from "../api/get-post";
import { useUpdatePost } from "../api/update-post";
import { deleteLocalDraft, isSameText, readLocalDraft } from "./local-draft";
import type { ConsolePost, PostText } from "./types";
import { usePostAutosave } from "./use-post-autosave";
import { ApiError } from "@porchlight/shared/client";

const latestTextOf = (post: ConsolePost) => post.workingCopy ?? post.saved;
const serverCopyOf = (post: ConsolePost) => ({
  text: latestTextOf(post),
  revision: post.revision,
  omissions: post.omissions,
});

export type PostEditorState = ReturnType<typeof usePostEditor>;

/**
 * The state of the post editor: the typed text, autosaved, and the post as it is saved.
 * @param first the post as it was loaded
 * @param onTitleError called when a save is refused because of the title
 */
export function usePostEditor(first: ConsolePost, onTitleError: () => void) {
  const [post, setPost] = useState(first);
  const [initialDraft] = useState(() => {
    const localDraft = readLocalDraft(first.id);
    return localDraft && !isSameText(localDraft, latestTextOf(first)) ? localDraft : null;
  });
  const [isRestored, setIsRestored] = useState(initialDraft !== null);
  const [text, setText] = useState<PostText>(initialDraft ?? latestTextOf(first));
  const [tags, setTags] = useState(text.tags.join(", "));
  const [replacedText, setReplacedText] = useState<PostText | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isDiscarding, setIsDiscarding] = useState(false);
  const autosave = usePostAutosave(first.id, text, serverCopyOf(first));
  const update = useUpdatePost();

  function change(part: Partial<PostText>) {
    setText((current) => ({ ...current, ...part }));
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([name]) => !(name in part))));
  }

  function changeTags(typed: string) {
    setTags(typed);
    change({ tags: parseTags(typed) });
  }

  function loadPost(latestPost: ConsolePost, text = latestTextOf(latestPost)) {
    setPost(latestPost);
    setText(text);
    setTags(text.tags.join(", "));
    autosave.settle(serverCopyOf(latestPost));
  }

  function dropLocalDraft() {
    deleteLocalDraft(post.id);
    setIsRestored(false);
  }

  /** Save the post with a status; `done` is the toast's text. Resolves after the answer. */
  async function save(status: "draft" | "published", publishedAt: string | null, done: string) {
    const revision = await autosave.pause();
    const submittedText = text;
    try {
      const saved = await update.mutateAsync({ id: post.id, text: submittedText, revision, status, publishedAt });
      setPost(saved);
      setErrors({});
      // Take the server's normalized slug and tags, unless the text changed during the request.
      setText((current) => (isSameText(current, submittedText) ? saved.saved : current));
      setTags(saved.saved.tags.join(", "));
      autosave.settle(serverCopyOf(saved));
      dropLocalDraft();
      toast.success(done);
    } catch (reason) {
      autosave.resume(isEditConflict(reason));
      if (!isEditConflict(reason)) toast.error(errorMessage(reason));
      if (reason instanceof ApiError) {
        setErrors(reason.fields);
        if (reason.fields.title) onTitleError();
      }
    }
  }

  /** Go on with the typed text, or with the version that was saved elsewhere. */
  async function resolveConflict(keepLocalText: boolean) {
    try {
      const latestPost = await getPost(post.id);
      if (keepLocalText) {
        loadPost(latestPost, text);
      } else {
        setReplacedText(text);
        loadPost(latestPost);
        deleteLocalDraft(post.id);
      }
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  /** Go back from a draft of this device to what the server has. */
  function dropRestoredDraft() {
    loadPost(post);
    dropLocalDraft();
  }

  /** Go back to the text that visitors see. */
  async function discardChanges() {
    setIsDiscarding(true);
    try {
      const revision = await autosave.pause();
      const { revision: next, omissions } = await deleteWorkingCopy(post.id, revision);
      loadPost({ ...post, workingCopy: null, revision: next, omissions });
      dropLocalDraft();
    } catch (reason) {
      autosave.resume(isEditConflict(reason));
      if (!isEditConflict(reason)) toast.error(errorMessage(reason));
    } finally {
      setIsDiscarding(false);
    }
  }

  return {
    post,
    text,
    tags,
    errors,
    change,
    changeTags,
    autosave,
    isChanged: !isSameText(text, post.saved),
    save,
    isSaving: update.isPending,
    discardChanges,
    isDiscarding,
    isRestored,
    dropRestoredDraft,
    resolveConflict,
    /** The typed text that gave way to a version saved elsewhere. */
    replacedText,
    hideReplacedText: () => setReplacedText(null),
  };
}

function parseTags(text: string): string[] {
  return [...new Set(text.split(/[,，、]/).map((tag) => tag.trim()))].filter(Boolean).slice(0, 12);
}
