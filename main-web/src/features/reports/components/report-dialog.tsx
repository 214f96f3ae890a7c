import { useRef } from "react";
import { useForm, useWatch } from "react-hook-form";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { REPORT_REASON_LABELS } from "@/lib/report-labels";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { DialogDone } from "@/components/ui/dialog-done";
import { Field, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import styles from "@/components/ui/dialog-form.module.css";
import { useCreateReport, type Report, type Reported } from "../api/create-report";
import { ApiError } from "@porchlight/shared/client";

const MAX_DETAILS_LENGTH = 2000;

type ReportDialogProps = { subject: Reported; title: string; onClose: () => void };
type ReportValues = { reason: Report["reason"] | ""; details: string };

/** The report form. Its input is kept until the report is sent. */
export function ReportDialog({ subject, title, onClose }: ReportDialogProps) {
  const send = useCreateReport();
  const form = useForm<ReportValues>({ defaultValues: { reason: "", details: "" } });
  const { errors } = form.formState;
  const reason = useWatch({ control: form.control, name: "reason" });
  // One key per content: pressing again after an error does not report twice.
  const attempt = useRef({ content: "", key: "" });

  function submit({ reason, details }: ReportValues) {
    if (reason === "") return; // The form requires one.
    const report = { ...subject, reason, details: details.trim() };
    const content = JSON.stringify(report);
    if (attempt.current.content !== content) attempt.current = { content, key: createIdempotencyKey() };
    send.mutate({ idempotencyKey: attempt.current.key, report }, { onError: showFieldErrors });
  }

  function showFieldErrors(error: Error) {
    if (!(error instanceof ApiError)) return;
    for (const [name, message] of Object.entries(error.fields)) {
      if (name === "reason" || name === "details") form.setError(name, { message });
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Report this" description={title}>
      {send.isSuccess ? (
        <DialogDone message={send.data.message} onClose={onClose} />
      ) : (
        <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
          <Field label="What's wrong?" error={errors.reason?.message}>
            <Select
              {...form.register("reason", { required: "Please choose a reason", onChange: () => form.clearErrors() })}
            >
              <option value="">Choose a reason</option>
              {Object.entries(REPORT_REASON_LABELS).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Anything else we should know?" optional={reason !== "other"} error={errors.details?.message}>
            <TextArea
              rows={4}
              maxLength={MAX_DETAILS_LENGTH}
              {...form.register("details", {
                validate: (details) => reason !== "other" || details.trim() !== "" || "Please tell us what's wrong",
                onChange: () => form.clearErrors(),
              })}
            />
          </Field>
          <p className={styles.note}>Only our team sees this. Reports are anonymous.</p>
          <p className={styles.checking} role="status">
            {send.isChecking && "Checking that you are human… This takes a few seconds while we get a lot of reports."}
          </p>
          {send.isError && <Notice tone="danger">{send.error.message}</Notice>}
          <div className={styles.actions}>
            <Button type="submit" loading={send.isPending}>
              Send report
            </Button>
            <Button variant="ghost" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
