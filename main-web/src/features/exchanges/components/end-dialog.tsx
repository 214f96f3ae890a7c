import { useState } from "react";
import { Confirm } from "@/components/ui/confirm";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { toast } from "@/lib/toast-store";
import { useAnswerExchange } from "../api/answer-exchange";
import { useCancelExchange } from "../api/cancel-exchange";
import type { Exchange } from "../lib/types";
import { formatCancelingNow } from "@porchlight/shared/format/session-terms";

const MAX_WORDS = 1000;
/** Neither side of an exchange ever owes anything for ending it. */
const FREE = { freeUntil: "", owed: "", late: "", package: "" } as const;

type EndDialogProps = { exchange: Exchange; how: "decline" | "cancel"; onClose: () => void };

/** Ask before declining, taking back a request or canceling a session. */
export function EndDialog({ exchange, how, onClose }: EndDialogProps) {
  const answer = useAnswerExchange(exchange.id);
  const cancel = useCancelExchange(exchange.id);
  const [words, setWords] = useState("");
  const { name } = exchange.neighbor;
  const isSession = exchange.status === "confirmed";
  const error = how === "decline" ? answer.error : cancel.error;
  const texts =
    how === "decline"
      ? { title: "Decline this request?", action: "Decline", keep: "Keep it open", done: "You declined." }
      : isSession
        ? {
            title: "Cancel this session?",
            action: "Cancel session",
            keep: "Keep session",
            done: "The session is canceled.",
          }
        : {
            title: "Take back this request?",
            action: "Take back",
            keep: "Keep request",
            done: "Your request is withdrawn.",
          };

  function confirm() {
    const options = {
      onSuccess: () => {
        toast.success(texts.done);
        onClose();
      },
    };
    if (how === "decline") {
      answer.mutate({ answer: "decline", sequence: exchange.sequence, words: words.trim() }, options);
    } else cancel.mutate(words.trim(), options);
  }

  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.title}
      description={`${name} gets an email.${how === "decline" ? "" : ` ${formatCancelingNow({ ...FREE, isRequest: !isSession })}`}`}
      action={texts.action}
      cancel={texts.keep}
      busy={answer.isPending || cancel.isPending}
      onConfirm={confirm}
    >
      <Stack>
        {error && <Notice tone="danger">{error.message}</Notice>}
        <Field label={`Words for ${name}`} optional>
          <TextArea rows={3} maxLength={MAX_WORDS} value={words} onChange={(event) => setWords(event.target.value)} />
        </Field>
      </Stack>
    </Confirm>
  );
}
