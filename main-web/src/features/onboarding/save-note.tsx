import { Check, CloudOff } from "lucide-react";
import { Spinner } from "../../ui/spinner";
import type { SaveState } from "./use-autosave";
import styles from "./save-note.module.css";

const WORDS = { saving: "Saving…", saved: "Saved", failed: "Not saved yet. Trying again…" };

/** Whether what was typed is kept; said to screen readers as well. */
export function SaveNote({ state }: { state: SaveState }) {
  return (
    <p className={styles.note} role="status">
      {state !== "idle" && (
        <>
          {state === "saving" && <Spinner />}
          {state === "saved" && <Check size={16} aria-hidden="true" />}
          {state === "failed" && <CloudOff size={16} aria-hidden="true" />}
          {WORDS[state]}
        </>
      )}
    </p>
  );
}
