import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Field, TextArea } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { SectionTitle } from "@/components/ui/section-card";
import { Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useAutosave, type AutosaveState } from "@/lib/use-autosave";
import type { DisputeWords, GuruDisputeDetails } from "../lib/types";
import { useSaveDraft, useSendAnswer } from "./disputes-api";

const MAX_WORDS = 2000;
const SAVE_MS = 800;
const RETRY_MS = 5_000;
const SAVE_TEXTS: Record<AutosaveState, string> = {
  idle: "",
  waiting: "Saving your draft...",
  saving: "Saving your draft...",
  saved: "Draft saved.",
  failed: "We couldn't save your draft. We keep trying.",
};

/** The guru's words to the bank: kept as a draft while typing, and sent once, after a question. */
export function AnswerForm({ dispute }: { dispute: GuruDisputeDetails }) {
  const [values, setValues] = useState<DisputeWords>({ words: dispute.words, customerWords: dispute.customerWords });
  const [problem, setProblem] = useState("");
  const [isAsking, setIsAsking] = useState(false);
  const draft = useSaveDraft(dispute.id);
  const answer = useSendAnswer(dispute.id);
  const saving = useAutosave(
    async (wanted: DisputeWords) => {
      await draft.mutateAsync(wanted);
    },
    { delayMs: SAVE_MS, retryMs: RETRY_MS },
  );

  function change(changed: Partial<DisputeWords>) {
    const next = { ...values, ...changed };
    setValues(next);
    setProblem("");
    saving.schedule(next);
  }

  function ask() {
    if (values.words.trim() === "") setProblem("Say in your words what happened.");
    else {
      answer.reset();
      setIsAsking(true);
    }
  }

  async function send() {
    await saving.cancel();
    try {
      await answer.mutateAsync(values);
      setIsAsking(false);
      toast.success("Your answer is on its way to the bank.");
    } catch {
      return; // the dialog shows it, and what was typed stays
    }
  }

  return (
    <Stack as="section" aria-labelledby="dispute-answer">
      <SectionTitle id="dispute-answer">Your answer</SectionTitle>
      {dispute.answerState === "failed" && (
        <Notice tone="danger">The bank couldn't take your answer. Please check it and send it again.</Notice>
      )}
      <Field
        label="What happened"
        hint={`Short and friendly: what you agreed on, and what took place. ${MAX_WORDS - values.words.length} characters left.`}
        error={problem || undefined}
      >
        <TextArea
          rows={6}
          maxLength={MAX_WORDS}
          value={values.words}
          onChange={(event) => change({ words: event.target.value })}
        />
      </Field>
      <Field
        label="What they wrote to you"
        optional
        hint="Copy messages or emails that show that the session took place."
      >
        <TextArea
          rows={4}
          maxLength={MAX_WORDS}
          value={values.customerWords}
          onChange={(event) => change({ customerWords: event.target.value })}
        />
      </Field>
      <Hint aria-live="polite">{SAVE_TEXTS[saving.state]}</Hint>
      <div>
        <Button onClick={ask}>Send to the bank</Button>
      </div>
      <Confirm
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Send your answer?"
        description="The bank takes one answer. You can't change it afterwards."
        action="Send to the bank"
        actionVariant="primary"
        cancel="Keep writing"
        busy={answer.isPending}
        onConfirm={() => void send()}
      >
        {answer.isError && <Notice tone="danger">{errorMessage(answer.error)}</Notice>}
      </Confirm>
    </Stack>
  );
}
