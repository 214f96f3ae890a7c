import { useRef, useState } from "react";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { toast } from "@/lib/toast-store";
import { REPORT_REASON_LABELS } from "@/lib/report-labels";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import styles from "@/components/ui/dialog-form.module.css";
import { Field, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useReportThread, type ReportWords } from "../api/create-report";
import { shortName } from "../lib/texts";
import type { ThreadCard } from "../lib/types";
import { fieldErrors } from "@porchlight/shared/client";

const MAX_DETAILS_LENGTH = 2000;

/** The report of a conversation. It says what staff will see. */
export function ReportDialog({ thread, onClose }: { thread: ThreadCard; onClose: () => void }) {
  const send = useReportThread();
  const [reason, setReason] = useState<ReportWords["reason"] | "">("");
  const [details, setDetails] = useState("");
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  // One key per content: pressing again after an error does not report twice.
  const attempt = useRef({ content: "", key: "" });
  const name = shortName(thread);

  function submit() {
    const missing = {
      ...(reason === "" && { reason: "Please choose a reason" }),
      ...(reason === "other" && details.trim() === "" && { details: "Please tell us what's wrong" }),
    };
    setErrors(missing);
    if (reason === "" || Object.keys(missing).length > 0) return;
    const content = JSON.stringify([reason, details]);
    if (attempt.current.content !== content) attempt.current = { content, key: createIdempotencyKey() };
    send.mutate(
      { threadId: thread.id, reason, details: details.trim(), idempotencyKey: attempt.current.key },
      {
        onSuccess: ({ message }) => {
          toast.success(message);
          onClose();
        },
        onError: (failure) => setErrors(fieldErrors(failure)),
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Report ${name}`}
      description="We send the last 10 messages of this conversation to our team."
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="What's wrong?" error={errors.reason}>
          <Select value={reason} onChange={(event) => setReason(event.target.value as ReportWords["reason"] | "")}>
            <option value="">Choose a reason</option>
            {Object.entries(REPORT_REASON_LABELS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Anything else we should know?" optional={reason !== "other"} error={errors.details}>
          <TextArea
            rows={4}
            maxLength={MAX_DETAILS_LENGTH}
            value={details}
            onChange={(event) => setDetails(event.target.value)}
          />
        </Field>
        <p className={styles.note}>We don't tell {name} who reported this.</p>
        {send.isError && <Notice tone="danger">{send.error.message}</Notice>}
        <div className={styles.actions}>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={send.isPending}>
            Send report
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
