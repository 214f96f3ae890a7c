import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import styles from "@/components/ui/details.module.css";

type ReasonFormProps = {
  /** The consequences of the action. */
  children?: ReactNode;
  submitLabel: string;
  /** Label of the button that closes the form. */
  cancelLabel?: string;
  /** Maximum length of the reason, in characters. */
  maxLength?: number;
  danger?: boolean;
  pending: boolean;
  error: string | undefined;
  onSubmit: (reason: string) => void;
  onCancel: () => void;
};

/** An action that requires a reason, which the audit log keeps. */
export function ReasonForm({
  children,
  submitLabel,
  cancelLabel = "Cancel",
  maxLength = 1000,
  danger = false,
  pending,
  error,
  onSubmit,
  onCancel,
}: ReasonFormProps) {
  const form = useForm({ defaultValues: { reason: "" } });
  const { errors } = form.formState;

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => void form.handleSubmit(({ reason }) => onSubmit(reason.trim()))(event)}
    >
      {children}
      <Field label="Reason" hint="Recorded in the audit log." error={errors.reason?.message}>
        <TextArea
          rows={3}
          maxLength={maxLength}
          {...form.register("reason", { validate: (reason) => reason.trim() !== "" || "Please enter a reason." })}
        />
      </Field>
      {error && <Notice tone="danger">{error}</Notice>}
      <div className={styles.actions}>
        <Button type="submit" variant={danger ? "danger" : "primary"} loading={pending}>
          {submitLabel}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {cancelLabel}
        </Button>
      </div>
    </form>
  );
}
