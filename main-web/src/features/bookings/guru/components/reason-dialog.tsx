import { useState, type ReactNode } from "react";
import { Confirm } from "@/components/ui/confirm";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";

const MAX_REASON = 500;

type ReasonDialogProps = {
  title: string;
  text: string;
  action: string;
  /** Whether a reason is needed. */
  required: boolean;
  busy: boolean;
  error: Error | null;
  onConfirm: (reason: string) => void;
  onClose: () => void;
  /** What to choose before the reason. */
  children?: ReactNode;
};

/** Asks for a reason before a booking ends. The typed reason stays after an error. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, action, required, busy, error, onConfirm, onClose, children } = props;
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");

  function confirm() {
    if (required && reason.trim() === "") setProblem("Enter a reason");
    else if (reason.length > MAX_REASON) setProblem(`${MAX_REASON} characters max`);
    else onConfirm(reason.trim());
  }

  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={text}
      action={action}
      cancel="Keep it"
      busy={busy}
      onConfirm={confirm}
    >
      <Stack>
        {children}
        <Field label="Reason" optional={!required} hint="The neighbor will see this." error={problem || undefined}>
          <TextArea
            rows={3}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setProblem("");
            }}
          />
        </Field>
        {error && <Notice tone="danger">{errorMessage(error)}</Notice>}
      </Stack>
    </Confirm>
  );
}
