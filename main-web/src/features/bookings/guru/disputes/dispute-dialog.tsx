import { Badge } from "@/components/ui/badge";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { SectionTitle } from "@/components/ui/section-card";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import styles from "../components/calendar.module.css";
import { disputeBadge } from "../lib/refund-text";
import type { GuruDisputeDetails } from "../lib/types";
import { AnswerForm } from "./answer-form";
import { useDispute } from "./disputes-api";
import { formatLocalDate, formatTimeLeft, formatTimestamp } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

/** What a bank asks about a payment, and the guru's answer. */
export function DisputeDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const dispute = useDispute(id);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="A bank asks about a payment"
      width={620}
      fullScreenOnPhones
      startsAt="top"
    >
      {dispute.isPending && (
        <div aria-busy="true">
          <Skeleton height="14rem" radius="md" />
        </div>
      )}
      {dispute.isError && !dispute.data && (
        <ErrorState
          title="We couldn't load this"
          message={dispute.error.message}
          onRetry={() => void dispute.refetch()}
          retrying={dispute.isFetching}
        />
      )}
      {dispute.data && <Details dispute={dispute.data} />}
    </Dialog>
  );
}

/** Say what becomes of the money. */
function moneyText({ state, amountCents, shareCents }: GuruDisputeDetails): string {
  switch (state) {
    case "inquiry":
      return "The bank has a question first. It has not taken any money.";
    case "won":
      return `The bank returned ${formatCents(amountCents)}.`;
    case "lost":
      return `The cardholder keeps ${formatCents(amountCents)}. ${formatCents(shareCents)} of it was yours.`;
    case "closed":
      return "The bank has no more questions.";
    case "open":
    case "under_review":
      return `The bank has taken ${formatCents(amountCents)} back until it decides. ${formatCents(shareCents)} of it is yours.`;
  }
}

/** Say until when the guru can answer, with the time that is left: "Dec 12, 2026 (in 6 days)". */
function deadlineText({ dueBy, canAnswer }: GuruDisputeDetails): string {
  if (dueBy === null) return "";
  return canAnswer ? `${formatTimestamp(dueBy)} (${formatTimeLeft(dueBy)})` : "";
}

function Details({ dispute }: { dispute: GuruDisputeDetails }) {
  const [label, tone] = disputeBadge(dispute);
  const facts = [
    ["Person", dispute.personName],
    ["Reason", dispute.reason],
    ["Money", moneyText(dispute)],
    ["Asked on", formatLocalDate(dispute.openedAt)],
    ["Answer by", deadlineText(dispute)],
  ].filter(([, value]) => value !== "");
  return (
    <Stack>
      <p>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section aria-labelledby="dispute-facts">
        <SectionTitle id="dispute-facts">What we send for you</SectionTitle>
        <dl className={styles.facts}>
          {dispute.facts.map(({ label: name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      {dispute.canAnswer ? <AnswerForm key={dispute.answerState} dispute={dispute} /> : <Answer dispute={dispute} />}
    </Stack>
  );
}

/** The answer that was sent, or why there is none. */
function Answer({ dispute }: { dispute: GuruDisputeDetails }) {
  const { answerState, answeredAt, words, customerWords } = dispute;
  if (answerState === "" || answerState === "failed") {
    return <Notice>The time to answer is over. The bank decides with what it has.</Notice>;
  }
  return (
    <section aria-labelledby="dispute-answer">
      <SectionTitle id="dispute-answer">Your answer</SectionTitle>
      <Hint>
        {answerState === "requested"
          ? "On its way to the bank."
          : `Sent${answeredAt ? ` on ${formatLocalDate(answeredAt)}` : ""}.`}
      </Hint>
      <dl className={styles.facts}>
        {words !== "" && (
          <div>
            <dt>What happened</dt>
            <dd>{words}</dd>
          </div>
        )}
        {customerWords !== "" && (
          <div>
            <dt>What they wrote to you</dt>
            <dd>{customerWords}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
