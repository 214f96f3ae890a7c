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
import { paidOf } from "../lib/payment-texts";
import styles from "./sessions.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

const MAX_REASON = 500;

type ProposalProps = { booking: Booking; proposal: NonNullable<Booking["proposal"]> };

type Done = { isRequest: boolean; accept: boolean; count: number; at: string };

/** Say what became of one session or of several, after the answer. */
function doneText({ isRequest, accept, count, at }: Done): string {
  if (isRequest) {
    if (count > 1) return accept ? `You're booked for ${count} sessions.` : `Your ${count} requests are withdrawn.`;
    return accept ? `You're booked for ${at}.` : "Your request is withdrawn.";
  }
  if (count > 1) return `Your ${count} sessions are ${accept ? "moved" : "canceled"}.`;
  return accept ? `Your session is moved to ${at}.` : "Your session is canceled.";
}

/** Say what happens without an answer. */
function orElse({ status, expiresAt, guruName }: Booking, { answerUntil }: NonNullable<Booking["proposal"]>): string {
  if (status !== "requested") return "your session stays as it is";
  return expiresAt === answerUntil ? "your request expires" : `${guruName} can still answer your request`;
}

/** The words of the question before a session, or several, are canceled. */
function declineWords(booking: Booking, count: number) {
  const { status, serviceName, guruName } = booking;
  const one = count === 1;
  const isPaid = paidOf(booking) !== null;
  if (status === "requested") {
    return {
      title: one ? "Withdraw this request?" : `Withdraw these ${count} requests?`,
      description: `${serviceName} with ${guruName}. ${isPaid ? "Everything you paid comes back." : "You owe nothing."}`,
      action: one ? "Withdraw request" : `Withdraw ${count} requests`,
      cancel: one ? "Keep request" : "Keep requests",
    };
  }
  return {
    title: one ? "Cancel this session?" : `Cancel these ${count} sessions?`,
    description: `${serviceName} with ${guruName}. Canceling is free, because ${guruName} asked to move ${one ? "it" : "them"}.${isPaid ? " Everything you paid comes back." : ""}`,
    action: one ? "Cancel for free" : `Cancel ${count} for free`,
    cancel: one ? "Keep session" : "Keep sessions",
  };
}

/** Another time that the guru asks for: accept it, cancel for free, or leave the session or the request as it is. */
export function Proposal({ booking, proposal }: ProposalProps) {
  const { guruName, zone } = booking;
  const { startsAt } = proposal;
  const answer = useAnswerProposal(booking.id);
  const series = useSeries(booking.seriesId);
  const [declining, setDeclining] = useState<"this" | "all" | null>(null);
  const [reason, setReason] = useState("");
  const isRequest = booking.status === "requested";
  const { time, other } = sessionTimeFrom(booking, startsAt);
  const moves =
    series.data?.bookings.flatMap((one) => (one.proposal ? [{ ...one, proposal: one.proposal }] : [])) ?? [];
  const count = moves.length;

  // The answer ends the proposal, and with it this card, before callbacks of the mutation would run.
  async function send(accept: boolean, wholeSeries: boolean) {
    try {
      await answer.mutateAsync({ accept, startsAt, reason: accept ? "" : reason.trim(), wholeSeries });
      setDeclining(null);
      toast.success(
        doneText({ isRequest, accept, count: wholeSeries ? count : 1, at: formatSessionStart(startsAt, zone) }),
      );
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "Something went wrong. Please try again.");
    }
  }

  return (
    <Card as="section" aria-labelledby="proposal" className={styles.terms}>
      <h2 id="proposal" className={styles.name}>
        {isRequest
          ? `${guruName} suggests ${count > 1 ? `other times for ${count} sessions` : "another time"}`
          : `${guruName} asks to move ${count > 1 ? `${count} sessions` : "this session"}`}
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
        {isRequest && "Once you accept, you're booked. "}
        Please answer by {formatSessionStart(proposal.answerUntil, zone)}. If you don&apos;t,{" "}
        {orElse(booking, proposal)}.
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
          {isRequest ? "Withdraw request" : "Cancel for free"}
        </Button>
        {count > 1 && (
          <Button variant="secondary" onClick={() => setDeclining("all")}>
            {isRequest ? `Withdraw all ${count}` : `Cancel all ${count} for free`}
          </Button>
        )}
      </div>
      {declining !== null && (
        <Confirm
          open
          onOpenChange={() => setDeclining(null)}
          {...declineWords(booking, declining === "all" ? count : 1)}
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
