import { Check, CloudOff } from "lucide-react";
import { Spinner } from "@/components/ui/spinner";
import type { AutosaveState } from "@/lib/use-autosave";
import styles from "./save-status.module.css";

const LABELS = { waiting: "Saving…", saving: "Saving…", saved: "Saved", failed: "Not saved yet. Trying again…" };

/** The state of the autosave, announced to screen readers. */
export function SaveStatus({ state }: { state: AutosaveState }) {
  return (
    <p className={styles.note} role="status">
      {state !== "idle" && (
        <>
          {(state === "waiting" || state === "saving") && <Spinner />}
          {state === "saved" && <Check size={16} aria-hidden="true" />}
          {state === "failed" && <CloudOff size={16} aria-hidden="true" />}
          {LABELS[state]}
        </>
      )}
    </p>
  );
}
