import { useState } from "react";
import { AnswerList } from "@/components/questions/answer-list";
import { Button } from "@/components/ui/button";
import { canCancel } from "../lib/session-texts";
import type { Booking } from "../lib/own-booking";
import { AnswersDialog } from "./answers-dialog";
import styles from "./sessions.module.css";

/** The guru's questions with the user's answers, and a way to change them. `link`: that of a customer. */
export function SessionAnswers({ booking, link }: { booking: Booking; link?: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { answers, guruName } = booking;
  return (
    <>
      {answers.length > 0 ? (
        <AnswerList answers={answers} />
      ) : (
        <div>{guruName} asked you something for this session.</div>
      )}
      {canCancel(booking) && (
        <div className={styles.change}>
          <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
            {answers.length > 0 ? "Change answers" : "Answer the questions"}
          </Button>
        </div>
      )}
      {isOpen && (
        <AnswersDialog booking={booking} {...(link !== undefined && { link })} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}

/** Tell whether there is something to show or to answer: old sessions without answers have nothing to answer any more. */
export const hasAnswers = (booking: Booking) =>
  booking.answers.length > 0 || (booking.questions.length > 0 && canCancel(booking));
