import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, Select, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { newKey } from "../new-key";
import { usePostReport, type Reported } from "./post-report";
import styles from "./report-dialog.module.css";
import { REASONS } from "./report-words";
import { ApiError } from "@porchlight/shared/client";

const DETAILS = 2000;

type ReportDialogProps = { subject: Reported; title: string; onClose: () => void };
type Faults = { reason?: string; details?: string };

/** Why, and what more there is to say. What was typed stays until it has arrived. */
export function ReportDialog({ subject, title, onClose }: ReportDialogProps) {
  const send = usePostReport();
  const [reason, setReason] = useState("");
  const [details, setDetails] = useState("");
  const [faults, setFaults] = useState<Faults>({});
  // One key per wording: pressing again after a failure cannot report it twice.
  const key = useRef(newKey());

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const found: Faults = {};
    if (!reason) found.reason = "Please choose a reason";
    if (reason === "other" && !details.trim()) found.details = "Please tell us what is wrong";
    setFaults(found);
    if (found.reason || found.details) return;
    send.mutate(
      { key: key.current, report: { ...subject, reason, details: details.trim() } },
      { onError: (refused) => refused instanceof ApiError && setFaults(refused.fields) },
    );
  }

  function edited(change: () => void) {
    change();
    setFaults({});
    key.current = newKey();
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Report this" description={title}>
      {send.isSuccess ? (
        <Sent message={send.data.message} onClose={onClose} />
      ) : (
        <form className={styles.form} noValidate onSubmit={submit}>
          <Field label="What is wrong?" error={faults.reason}>
            <Select value={reason} onChange={(event) => edited(() => setReason(event.target.value))}>
              <option value="">Choose a reason</option>
              {Object.entries(REASONS).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Anything that helps us understand" optional={reason !== "other"} error={faults.details}>
            <TextArea rows={4} maxLength={DETAILS} value={details} onChange={(event) => edited(() => setDetails(event.target.value))} />
          </Field>
          <p className={styles.note}>Only our team reads this. Whoever you report does not learn who you are.</p>
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

function Sent({ message, onClose }: { message: string; onClose: () => void }) {
  const done = useRef<HTMLDivElement>(null);
  useEffect(() => done.current?.focus(), []);
  return (
    <div className={styles.done} ref={done} tabIndex={-1} role="status">
      <CircleCheck size={28} aria-hidden="true" />
      <p>{message}</p>
      <Button variant="secondary" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}
