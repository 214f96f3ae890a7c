import { useState, type SubmitEvent } from "react";
import { QuestionFields } from "@/components/questions/question-fields";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { answerErrors, answersOf, focusFirstAnswer, typedAnswers } from "@/lib/questions";
import { toast } from "@/lib/toast-store";
import { useChangeAnswers } from "../api/change-answers";
import type { Booking } from "../lib/own-booking";
import styles from "./sessions.module.css";
import { fieldErrors } from "@porchlight/shared/client";

const FORM = "answers-form";

/** `link`: that of a customer without an account, who may leave questions open. */
type AnswersDialogProps = { booking: Booking; link?: string; onClose: () => void };

/** Answer the guru's questions again. What was typed stays after an error. */
export function AnswersDialog({ booking, link, onClose }: AnswersDialogProps) {
  const change = useChangeAnswers(booking.id, link);
  const [answers, setAnswers] = useState(() => typedAnswers(booking.answers));
  const [checked, setChecked] = useState(false);
  const { questions, guruName } = booking;
  const allOptional = link !== undefined;
  const missing = allOptional ? {} : answerErrors(questions, answers);
  const refused = fieldErrors(change.error);
  const isNamed = questions.some((_, index) => refused[`answers.${index}`] !== undefined);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    setChecked(true);
    if (focusFirstAnswer(questions, missing)) return;
    change.mutate(
      { answers: answersOf(questions, answers) },
      {
        onSuccess: () => {
          toast.success(`Your answers are changed. ${guruName} sees them with your session.`);
          onClose();
        },
        onError: (reason) => focusFirstAnswer(questions, fieldErrors(reason)),
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={booking.answers.length === 0 ? "Answer the questions" : "Change your answers"}
      description={description(booking)}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" form={FORM} loading={change.isPending}>
            Save answers
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} onSubmit={submit} noValidate>
        {change.error && !isNamed && <Notice tone="danger">{change.error.message}</Notice>}
        <QuestionFields
          questions={questions}
          answers={answers}
          errors={{ ...refused, ...(checked && missing) }}
          allOptional={allOptional}
          onChange={setAnswers}
        />
      </form>
    </Dialog>
  );
}

function description({ guruName, seriesId }: Booking): string {
  const others = seriesId === null ? "" : " The other sessions of your series keep theirs.";
  return `${guruName} sees them with your session. You can change them until it starts.${others}`;
}
