import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useJoinWaitlist } from "../api/join-waitlist";
import { keepTimePath, waitlistPath } from "../lib/book-page-url";
import type { WaitlistSession } from "../lib/types";
import styles from "./book-page.module.css";
import { VerifyEmailStep } from "./verify-email-step";
import { formatMoney } from "@porchlight/shared/format/money";
import { ApiError } from "@porchlight/shared/client";

type JoinWaitlistProps = {
  session: WaitlistSession;
  party: number;
  user: { email: string; emailVerified: boolean };
  onParty: (party: number) => void;
};

/** The form to join the waitlist of a session. With enough free spots, a link that books them. */
export function JoinWaitlist({ session, party, user, onParty }: JoinWaitlistProps) {
  const navigate = useNavigate();
  const join = useJoinWaitlist(session);
  const [verification, setVerification] = useState<"refused" | "done" | null>(null);
  // The identity provider may say it later than the page was opened.
  const mustVerify = verification === "refused" || (verification === null && !user.emailVerified);
  const hasSpots = session.seats >= party;

  function submit() {
    join.mutate(party, {
      onSuccess: ({ id }) => {
        toast.success("You're on the waitlist.");
        void navigate(waitlistPath(id), { replace: true });
      },
      onError: (reason) => {
        if (reason instanceof ApiError && reason.code === "email_unverified") setVerification("refused");
      },
    });
  }

  return (
    <Card as="section" className={styles.step} aria-labelledby="join-waitlist">
      <h2 id="join-waitlist" className={styles.stepTitle}>
        {hasSpots ? "There are free spots" : "This session is full"}
      </h2>
      {session.partyMax > 1 && (
        <Field label="How many people?">
          <Select value={party} onChange={(event) => onParty(Number(event.currentTarget.value))}>
            {Array.from({ length: session.partyMax }, (_, index) => index + 1).map((count) => (
              <option key={count} value={count}>
                {peopleLabel(count, session)}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {hasSpots ? (
        <>
          <p>You don't have to wait. You can book this session now.</p>
          <Button asChild size="lg" block>
            <Link to={keepTimePath({ ...session, party })}>Book this session</Link>
          </Button>
        </>
      ) : (
        <>
          <p>
            Join the waitlist and we'll email you when {party === 1 ? "a spot is" : `${party} spots are`} free.
            We&apos;ll hold {party === 1 ? "it" : "them"} for up to two hours. Waiting is free.
          </p>
          {mustVerify && <VerifyEmailStep email={user.email} onVerified={() => setVerification("done")} />}
          {join.isError && !mustVerify && <Notice tone="danger">{join.error.message}</Notice>}
          {mustVerify && (
            <p id="join-hint" className={styles.soft}>
              Please verify your email first.
            </p>
          )}
          <Button
            size="lg"
            block
            loading={join.isPending}
            disabled={mustVerify}
            aria-describedby={mustVerify ? "join-hint" : undefined}
            onClick={submit}
          >
            Join the waitlist
          </Button>
        </>
      )}
    </Card>
  );
}

function peopleLabel(count: number, { priceCents, currency }: WaitlistSession): string {
  if (count === 1) return "Just me";
  return priceCents === 0 ? `${count} people` : `${count} people, ${formatMoney(count * priceCents, currency)}`;
}
