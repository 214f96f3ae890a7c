import { useCallback, useEffect, useRef, useState } from "react";
import { useAutosave, type AutosaveState } from "@/lib/use-autosave";
import { isEditConflict } from "@/lib/errors";
import type { PostText } from "./types";
import { saveWorkingCopy } from "../api/save-working-copy";
import { deleteLocalDraft, isSameText, saveLocalDraft } from "./local-draft";

const AUTOSAVE = { delayMs: 1_200, retryMs: 8_000 };

/**
 * State of the autosave. `failed`: saved on this device only. `conflict`: the post changed elsewhere, and nothing is
 * sent until the user chooses a version.
 */
export type PostSaveState = Exclude<AutosaveState, "idle"> | "conflict";

/** The text that the server has, and what of it readers will not see as typed. */
type ServerCopy = { text: PostText; revision: number; omissions: string[] };

/**
 * Save the text of a post on this device at every change, and on the server at every pause.
 * @param initial what the server has
 */
export function usePostAutosave(id: string, text: PostText, initial: ServerCopy) {
  const server = useRef(initial);
  const latest = useRef(text);
  const reschedule = useRef<() => void>(() => undefined);
  const isPaused = useRef(false);
  const [isConflict, setIsConflict] = useState(false);
  const [omissions, setOmissions] = useState(initial.omissions);

  const save = useCallback(async () => {
    const value = latest.current;
    if (isSameText(value, server.current.text)) return;
    try {
      const { revision, omissions } = await saveWorkingCopy(id, value, server.current.revision);
      server.current = { text: value, revision, omissions };
      setOmissions(omissions);
      if (isSameText(latest.current, value)) deleteLocalDraft(id);
      else reschedule.current();
    } catch (reason) {
      if (!isEditConflict(reason)) throw reason;
      isPaused.current = true;
      setIsConflict(true);
    }
  }, [id]);
  const { state, schedule, cancel } = useAutosave<PostText>(save, AUTOSAVE);
  useEffect(() => {
    reschedule.current = () => schedule(latest.current);
  }, [schedule]);

  useEffect(() => {
    latest.current = text;
    if (isSameText(text, server.current.text)) return;
    saveLocalDraft(id, text);
    if (!isPaused.current) schedule(text);
  }, [id, text, schedule]);

  /** Stop saving until `settle` or `resume`; resolves to the revision to save with. */
  const pause = useCallback(async (): Promise<number> => {
    isPaused.current = true;
    await cancel();
    return server.current.revision;
  }, [cancel]);

  /** Continue from what the server has now. */
  const settle = useCallback(
    (copy: ServerCopy) => {
      server.current = copy;
      setOmissions(copy.omissions);
      isPaused.current = false;
      setIsConflict(false);
      if (isSameText(latest.current, copy.text)) deleteLocalDraft(id);
      else schedule(latest.current);
    },
    [id, schedule],
  );

  /** Continue after a save that failed; `conflict` says that the post changed elsewhere. */
  const resume = useCallback(
    (conflict: boolean) => {
      isPaused.current = conflict;
      setIsConflict(conflict);
      if (!conflict && !isSameText(latest.current, server.current.text)) schedule(latest.current);
    },
    [schedule],
  );

  const saveState: PostSaveState = isConflict ? "conflict" : state === "idle" ? "saved" : state;
  return { state: saveState, omissions, pause, settle, resume };
}
