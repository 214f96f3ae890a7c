import { useState } from "react";
import { LoadNotice } from "@/components/ui/load-notice";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Field, TextArea } from "@/components/ui/field";
import { toast } from "@/lib/toast-store";
import { useAnswerProposal } from "../api/answer-proposal";
import { useSeries } from "../api/get-series";
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
  const series = useSeries(booking.seriesId);
  const [declining, setDeclining] = useState<"this" | "all" | null>(null);
  const [reason, setReason] = useState("");
  const { time, other } = sessionTimeFrom(booking, startsAt);
  const moves =
    series.data?.bookings.flatMap((one) => (one.proposal ? [{ ...one, proposal: one.proposal }] : [])) ?? [];
  const count = moves.length;

  // The answer ends the proposal, and with it this card, before callbacks of the mutation would run.
  async function send(accept: boolean, wholeSeries: boolean) {
    try {
      await answer.mutateAsync({ accept, startsAt, reason: accept ? "" : reason.trim(), wholeSeries });
      setDeclining(null);
      if (wholeSeries) toast.success(`Your ${count} sessions are ${accept ? "moved" : "canceled"}.`);
      else
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
        {guruName} asks to move {count > 1 ? `${count} sessions` : "this session"}
      </h2>
      {count > 1 ? (
        <ul className={styles.changes} aria-label="New times">
          {moves.map((one) => (
            <li key={one.id}>
              <strong>{sessionTimeFrom(one, one.proposal.startsAt).time}</strong>
              <span className={styles.soft}> instead of {formatSessionStart(one.startsAt, zone)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p>
          To <strong>{time}</strong>
          {other && <span className={styles.soft}> ({other})</span>}
        </p>
      )}
      <LoadNotice what="the other sessions" queries={[series]} />
      <p className={styles.userText}>“{proposal.reason}”</p>
      <p className={styles.soft}>
        Please answer by {formatSessionStart(proposal.answerUntil, zone)}. If you don&apos;t, your session stays as it
        is.
      </p>
      <div className={styles.buttons}>
        {count > 1 && (
          <Button loading={answer.isPending && declining === null} onClick={() => void send(true, true)}>
            Accept all {count} new times
          </Button>
        )}
        <Button
          variant={count > 1 ? "secondary" : "primary"}
          loading={answer.isPending && declining === null}
          onClick={() => void send(true, false)}
        >
          {count > 1 ? "Accept for this session" : "Accept the new time"}
        </Button>
        <Button variant="secondary" onClick={() => setDeclining("this")}>
          Cancel for free
        </Button>
        {count > 1 && (
          <Button variant="secondary" onClick={() => setDeclining("all")}>
            Cancel all {count} for free
          </Button>
        )}
      </div>
      {declining !== null && (
        <Confirm
          open
          onOpenChange={() => setDeclining(null)}
          title={declining === "all" ? `Cancel these ${count} sessions?` : "Cancel this session?"}
          description={`${serviceName} with ${guruName}. Canceling is free, because ${guruName} asked to move ${declining === "all" ? "them" : "it"}.`}
          action={declining === "all" ? `Cancel ${count} for free` : "Cancel for free"}
          cancel={declining === "all" ? "Keep sessions" : "Keep session"}
          busy={answer.isPending}
          onConfirm={() => void send(false, declining === "all")}
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
