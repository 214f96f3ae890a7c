import { useEffect, useRef, useState } from "react";
import { isEditConflict } from "@/lib/errors";

type Revised = { revision: number | string };

type Options<R extends Revised, T> = {
  /** What the server stores, as last loaded. */
  resource: R;
  /** The part of the resource that the form edits. */
  typedOf: (resource: R) => T;
  reload: () => Promise<R>;
  /** Save the form on top of a revision; rejects with 409 `changed_elsewhere` when it is outdated. */
  save: (typed: T, revision: R["revision"]) => Promise<R>;
};

/**
 * The state of a form that edits a part of a resource with a revision. What is typed stays until it is saved. When the
 * resource changed elsewhere, but not this part of it, the form is saved on top; otherwise the user decides.
 */
export function useDraft<R extends Revised, T>({ resource, typedOf, reload, save }: Options<R, T>) {
  const [draft, setDraft] = useState<{ typed: T; base: R } | null>(null);
  const [conflict, setConflict] = useState(false);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const latest = useRef(resource);
  useEffect(() => {
    latest.current = resource;
  });
  const typed = draft?.typed ?? typedOf(resource);
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

  async function saveOnTop(base: R, current: R, isRetry = false): Promise<boolean> {
    if (!same(typedOf(base), typedOf(current))) {
      setConflict(true);
      return false;
    }
    let saved: R;
    try {
      saved = await save(typed, current.revision);
    } catch (reason) {
      if (!isEditConflict(reason) || isRetry) throw reason;
      return saveOnTop(base, await reload(), true);
    }
    // What was typed while it was saved stays, on top of it.
    setDraft((now) => (now === null || same(now.typed, typed) ? null : { typed: now.typed, base: saved }));
    setConflict(false);
    return true;
  }

  async function submit(base: R): Promise<boolean> {
    setSaving(true);
    setError(null);
    try {
      return await saveOnTop(base, resource);
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error("Something went wrong. Please try again."));
      return false;
    } finally {
      setSaving(false);
    }
  }

  return {
    typed,
    isDirty: draft !== null && !same(draft.typed, typedOf(draft.base)),
    saving,
    error,
    /** Whether the part was changed elsewhere since the user began to type. */
    conflict,
    change: (next: T) => {
      setDraft({ typed: next, base: draft?.base ?? resource });
      setError(null);
    },
    /** Change what is typed by then: for what ends later than it begins, such as an upload. */
    update: (change: (typed: T) => T) => {
      setDraft((now) => {
        const base = now?.base ?? latest.current;
        return { typed: change(now?.typed ?? typedOf(base)), base };
      });
      setError(null);
    },
    /** Save; resolves to whether it is saved. */
    submit: () => submit(draft?.base ?? resource),
    /** Save over what was changed elsewhere. */
    overwrite: () => submit(resource),
    /** Drop what is typed. */
    discard: () => {
      setDraft(null);
      setConflict(false);
      setError(null);
    },
  };
}

export type Draft<T> = ReturnType<typeof useDraft<Revised, T>>;
