import type { ReactNode } from "react";
import { Button } from "../../ui/button";
import { Field, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import styles from "./details.module.css";

type DecisionFormProps = {
  /** What is decided. */
  children: ReactNode;
  note: string;
  onNote: (text: string) => void;
  /** Characters of a note. */
  longest: number;
  change: { isPending: boolean; error: Error | null };
  /** The word on the button. */
  act: string;
  onSubmit: () => void;
};

/** A decision of staff with a note on it. What was typed stays until it is made. */
export function DecisionForm({ children, note, onNote, longest, change, act, onSubmit }: DecisionFormProps) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <Field label="Note" hint="For colleagues; the audit log keeps it." optional>
        <TextArea rows={3} maxLength={longest} value={note} onChange={(event) => onNote(event.target.value)} />
      </Field>
      {change.error && <Notice tone="danger">{change.error.message}</Notice>}
      <div className={styles.actions}>
        <Button type="submit" loading={change.isPending}>
          {act}
        </Button>
      </div>
    </form>
  );
}

/** One of `words` by its name, as options of a select. */
export function Options({ words }: { words: Record<string, string> }) {
  return Object.entries(words).map(([value, told]) => (
    <option key={value} value={value}>
      {told}
    </option>
  ));
}
