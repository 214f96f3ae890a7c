import { useCallback, useEffect, useRef, useState } from "react";

export type AutosaveState = "idle" | "waiting" | "saving" | "saved" | "failed";

type AutosaveOptions = {
  /** Time without a change until the value is saved. */
  delayMs: number;
  /** Time until a failed save is retried. */
  retryMs: number;
};

/**
 * Save a value shortly after its last change, one request at a time. Failed saves are retried until they succeed;
 * hiding the page, coming back online or unmounting saves at once.
 */
export function useAutosave<T>(save: (value: T) => Promise<void>, { delayMs, retryMs }: AutosaveOptions) {
  const [state, setState] = useState<AutosaveState>("idle");
  const pending = useRef<{ value: T } | null>(null);
  const running = useRef<Promise<boolean> | null>(null);
  const timer = useRef<number | undefined>(undefined);
  const latestSave = useRef(save);
  useEffect(() => {
    latestSave.current = save;
  });

  /** Save the pending value now; resolves to whether everything is saved. */
  const flush = useCallback(async (): Promise<boolean> => {
    window.clearTimeout(timer.current);
    if (running.current) await running.current;
    const next = pending.current;
    if (!next) return true;
    pending.current = null;
    setState("saving");
    const attempt = latestSave.current(next.value).then(
      () => {
        setState(pending.current ? "waiting" : "saved");
        return true;
      },
      () => {
        pending.current ??= next;
        setState("failed");
        timer.current = window.setTimeout(() => void flush(), retryMs);
        return false;
      },
    );
    running.current = attempt;
    const isSaved = await attempt;
    if (running.current === attempt) running.current = null;
    return isSaved;
  }, [retryMs]);

  const schedule = useCallback(
    (value: T) => {
      pending.current = { value };
      setState((current) => (current === "saving" || current === "failed" ? current : "waiting"));
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => void flush(), delayMs);
    },
    [delayMs, flush],
  );

  /** Drop the pending value because it is saved in another way. Resolves when no request is running. */
  const cancel = useCallback(async () => {
    window.clearTimeout(timer.current);
    pending.current = null;
    await running.current;
    // A failed request puts its value back and schedules a retry.
    window.clearTimeout(timer.current);
    pending.current = null;
    setState("idle");
  }, []);

  useEffect(() => {
    const flushWhenHidden = () => {
      if (document.visibilityState === "hidden") void flush();
    };
    const flushWhenOnline = () => void flush();
    document.addEventListener("visibilitychange", flushWhenHidden);
    window.addEventListener("online", flushWhenOnline);
    return () => {
      document.removeEventListener("visibilitychange", flushWhenHidden);
      window.removeEventListener("online", flushWhenOnline);
      void flush().finally(() => window.clearTimeout(timer.current));
    };
  }, [flush]);

  return { state, schedule, flush, cancel };
}
