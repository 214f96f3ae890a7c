import type { ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import styles from "@/components/ui/details.module.css";

type DecisionFormProps = {
  /** The fields of the decision. */
  children: ReactNode;
  /** Registration of the note field. */
  note: UseFormRegisterReturn;
  /** Maximum length of the note, in characters. */
  maxNoteLength: number;
  mutation: { isPending: boolean; error: Error | null };
  /** Label of the submit button. */
  submitLabel: string;
  onSubmit: () => Promise<void>;
};

/** A staff decision with a note. The input is kept until the decision is saved. */
export function DecisionForm({ children, note, maxNoteLength, mutation, submitLabel, onSubmit }: DecisionFormProps) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
      <Field label="Note" hint="For other staff. Recorded in the audit log." optional>
        <TextArea rows={3} maxLength={maxNoteLength} {...note} />
      </Field>
      {mutation.error && <Notice tone="danger">{mutation.error.message}</Notice>}
      <div className={styles.actions}>
        <Button type="submit" loading={mutation.isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** The options of a select, by value and label. */
export function Options({ labels }: { labels: Record<string, string> }) {
  return Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
