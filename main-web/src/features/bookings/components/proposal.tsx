import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Field, TextArea } from "@/components/ui/field";
import { toast } from "@/lib/toast-store";
import { useAnswerProposal } from "../api/answer-proposal";
import { sessionTimeFrom } from "../lib/session-texts";
import type { Booking } from "../lib/own-booking";
import styles from "./sessions.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

const MAX_REASON = 500;

type ProposalProps = { booking: Booking; proposal: NonNullable<Booking["proposal"]> };

/** Another time that the guru asks for: accept it, cancel for free, or leave the session as it is. */
export function Proposal({ booking, proposal }: ProposalProps) {
  const { guruName, serviceName, zone } = booking;
  const { startsAt } = proposal;
  const answer = useAnswerProposal(booking.id);
  const [isDeclining, setIsDeclining] = useState(false);
  const [reason, setReason] = useState("");
  const { time, other } = sessionTimeFrom(booking, startsAt);

  // The answer ends the proposal, and with it this card, before callbacks of the mutation would run.
  async function send(accept: boolean) {
    try {
      await answer.mutateAsync({ accept, startsAt, reason: accept ? "" : reason.trim() });
      setIsDeclining(false);
      toast.success(
        accept ? `Your session is moved to ${formatSessionStart(startsAt, zone)}.` : "Your session is canceled.",
      );
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "Something went wrong. Please try again.");
    }
  }

  return (
    <Card as="section" aria-labelledby="proposal" className={styles.terms}>
      <h2 id="proposal" className={styles.name}>
        {guruName} asks to move this session
      </h2>
      <p>
        To <strong>{time}</strong>
        {other && <span className={styles.soft}> ({other})</span>}
      </p>
      <p className={styles.userText}>“{proposal.reason}”</p>
      <p className={styles.soft}>
        Please answer by {formatSessionStart(proposal.answerUntil, zone)}. If you don&apos;t, your session stays as it
        is.
      </p>
      <div className={styles.buttons}>
        <Button loading={answer.isPending && !isDeclining} onClick={() => void send(true)}>
          Accept the new time
        </Button>
        <Button variant="secondary" onClick={() => setIsDeclining(true)}>
          Cancel for free
        </Button>
      </div>
      {isDeclining && (
        <Confirm
          open
          onOpenChange={setIsDeclining}
          title="Cancel this session?"
          description={`${serviceName} with ${guruName}. It's free, because ${guruName} asked to move it.`}
          action="Cancel for free"
          cancel="Keep session"
          busy={answer.isPending}
          onConfirm={() => void send(false)}
        >
          <Field label={`Reason for ${guruName}`} optional>
            <TextArea
              rows={3}
              maxLength={MAX_REASON}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        </Confirm>
      )}
    </Card>
  );
}
