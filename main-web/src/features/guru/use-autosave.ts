import { useCallback, useEffect, useRef, useState } from "react";
import { dropLocal, keepLocal, sameWords } from "./local-copy";
import { autosave } from "./post-calls";
import type { Words } from "./types";
import { changedElsewhere } from "./words";

/** Milliseconds of rest after which what was typed goes to the server, and until the next try when it could not. */
const REST = 1_200;
const AGAIN = 8_000;

/** kept: on this device alone; conflict: somebody saved from elsewhere, and nothing is sent until that is settled. */
export type SaveState = "saved" | "saving" | "waiting" | "kept" | "conflict";

/**
 * Keeps what is in the editor: on this device at every change, on the server at every pause. One call at a time.
 * @param sent what the server has of the post, and the revision it answered
 */
export function useAutosave(id: string, words: Words, sent: { words: Words; revision: number }) {
  const [state, setState] = useState<SaveState>("saved");
  const server = useRef(sent);
  const newest = useRef(words);
  const busy = useRef<Promise<void> | null>(null);
  const paused = useRef(false);

  const push = useCallback(async (): Promise<void> => {
    if (busy.current) {
      await busy.current;
      return;
    }
    if (paused.current || sameWords(newest.current, server.current.words)) return;
    const going = newest.current;
    const run = async () => {
      setState("saving");
      try {
        const { revision } = await autosave(id, going, server.current.revision);
        server.current = { words: going, revision };
        const done = sameWords(newest.current, going);
        if (done) dropLocal(id);
        setState(done ? "saved" : "waiting");
      } catch (reason) {
        paused.current = changedElsewhere(reason);
        setState(paused.current ? "conflict" : "kept");
      }
    };
    busy.current = run();
    await busy.current;
    busy.current = null;
  }, [id]);

  useEffect(() => {
    newest.current = words;
    if (sameWords(words, server.current.words)) return;
    keepLocal(id, words);
    if (paused.current) return;
    setState((now) => (now === "saving" || now === "kept" ? now : "waiting"));
    const timer = window.setTimeout(() => void push(), REST);
    return () => window.clearTimeout(timer);
  }, [id, words, push]);

  useEffect(() => {
    if (state !== "kept" && state !== "waiting") return;
    // What was typed while a call was under way, or could not be sent, goes out here.
    const timer = window.setTimeout(() => void push(), state === "kept" ? AGAIN : REST);
    return () => window.clearTimeout(timer);
  }, [state, push]);

  useEffect(() => () => void push(), [push]);

  /** Waits for a call under way and stops until `settle`; answers the revision to save with. */
  const pause = useCallback(async (): Promise<number> => {
    paused.current = true;
    if (busy.current) await busy.current;
    paused.current = true;
    return server.current.revision;
  }, []);

  /** Goes on from what the server has now. */
  const settle = useCallback(
    (now: { words: Words; revision: number }) => {
      server.current = now;
      paused.current = false;
      const done = sameWords(newest.current, now.words);
      if (done) dropLocal(id);
      setState(done ? "saved" : "waiting");
    },
    [id],
  );

  /** Goes on as before, after a save that failed. */
  const resume = useCallback((conflict: boolean) => {
    paused.current = conflict;
    setState(conflict ? "conflict" : "waiting");
  }, []);

  return { state, pause, settle, resume };
}
