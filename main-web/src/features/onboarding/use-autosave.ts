import { useCallback, useEffect, useRef, useState } from "react";

export type SaveState = "idle" | "saving" | "saved" | "failed";

const IDLE = 700; // milliseconds without a change until it is saved
const AGAIN = 5000; // milliseconds until a save that failed is tried again

/**
 * Saves a moment after the last change, one save at a time, the newest value last. What could not be saved is tried
 * again until it is; leaving the page saves at once.
 */
export function useAutosave<T>(save: (value: T) => Promise<void>) {
  const [state, setState] = useState<SaveState>("idle");
  const waiting = useRef<{ value: T } | null>(null);
  const running = useRef<Promise<boolean> | null>(null);
  const timer = useRef<number | undefined>(undefined);
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });

  const flush = useCallback(async (): Promise<boolean> => {
    window.clearTimeout(timer.current);
    if (running.current) await running.current;
    const next = waiting.current;
    if (!next) return true;
    waiting.current = null;
    setState("saving");
    const attempt = latest.current(next.value).then(
      () => {
        setState(waiting.current ? "saving" : "saved");
        return true;
      },
      () => {
        waiting.current ??= next;
        setState("failed");
        timer.current = window.setTimeout(() => void flush(), AGAIN);
        return false;
      },
    );
    running.current = attempt;
    const done = await attempt;
    if (running.current === attempt) running.current = null;
    return done;
  }, []);

  const schedule = useCallback(
    (value: T) => {
      waiting.current = { value };
      setState("saving");
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => void flush(), IDLE);
    },
    [flush],
  );

  /** Forget what waits: it is about to be saved in another way. Resolves once nothing of it is under way. */
  const settle = useCallback(async () => {
    window.clearTimeout(timer.current);
    waiting.current = null;
    await running.current;
    setState("idle");
  }, []);

  useEffect(() => {
    const hidden = () => {
      if (document.visibilityState === "hidden") void flush();
    };
    const online = () => void flush();
    document.addEventListener("visibilitychange", hidden);
    window.addEventListener("online", online);
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      window.removeEventListener("online", online);
      void flush().finally(() => window.clearTimeout(timer.current));
    };
  }, [flush]);

  return { state, schedule, flush, settle };
}
