import { useRef, useState } from "react";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { DialogDone } from "@/components/ui/dialog-done";
import styles from "@/components/ui/dialog-form.module.css";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAskNeighbor } from "../api/ask-neighbor";
import { fieldErrors } from "@porchlight/shared/client";

const MAX_BODY_LENGTH = 2000;

type AskDialogProps = {
  handle: string;
  title: string;
  draft: string;
  onDraftChange: (draft: string) => void;
  onClose: () => void;
};

/** The form of a question to a neighbor. Its text is kept until the question is sent. */
export function AskDialog({ handle, title, draft, onDraftChange, onClose }: AskDialogProps) {
  const send = useAskNeighbor();
  const [error, setError] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  // One key per text: pressing again after an error does not send it twice.
  const attempt = useRef({ body: "", key: "" });

  function submit() {
    const body = draft.trim();
    if (body === "") {
      setError("Please write your question");
      field.current?.focus();
      return;
    }
    if (attempt.current.body !== body) attempt.current = { body, key: createIdempotencyKey() };
    send.mutate(
      { idempotencyKey: attempt.current.key, handle, body },
      {
        onSuccess: () => onDraftChange(""),
        onError: (failure) => setError(fieldErrors(failure).body ?? ""),
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="We'll email it to them with your name and email address."
    >
      {send.isSuccess ? (
        <DialogDone message={send.data.message} onClose={onClose} />
      ) : (
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field label="Your question" error={error}>
            <TextArea
              ref={field}
              rows={5}
              maxLength={MAX_BODY_LENGTH}
              value={draft}
              onChange={(event) => {
                setError("");
                onDraftChange(event.target.value);
              }}
            />
          </Field>
          {send.isError && error === "" && <Notice tone="danger">{send.error.message}</Notice>}
          <div className={styles.actions}>
            <Button type="submit" loading={send.isPending}>
              Send question
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
