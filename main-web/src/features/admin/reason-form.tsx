import { useState, type ReactNode, type SubmitEvent } from "react";
import { Button } from "../../ui/button";
import { Field, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import styles from "./details.module.css";

type ReasonFormProps = {
  /** What will happen, before it does. */
  children?: ReactNode;
  act: string;
  danger?: boolean;
  pending: boolean;
  failure: string | undefined;
  onSubmit: (reason: string) => void;
  onCancel: () => void;
};

/** An act that wants a reason, which the audit log keeps. */
export function ReasonForm({ children, act, danger = false, pending, failure, onSubmit, onCancel }: ReasonFormProps) {
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (reason.trim() === "") setMissing(true);
    else onSubmit(reason.trim());
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {children}
      <Field
        label="Reason"
        hint="The audit log keeps it."
        error={missing && reason.trim() === "" ? "Please give a reason." : undefined}
      >
        <TextArea rows={3} maxLength={1000} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {failure && <Notice tone="danger">{failure}</Notice>}
      <div className={styles.actions}>
        <Button type="submit" variant={danger ? "danger" : "primary"} loading={pending}>
          {act}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
