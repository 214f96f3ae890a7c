import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { useLocation } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Choice, Choices } from "@/components/ui/choices";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { errorMessage } from "@/lib/errors";
import { useCreateTip } from "../api/create-tip";
import { suggestionText, tippedCents, tipProblem } from "../lib/tip-texts";
import type { OwnBooking, Tips } from "../lib/types";
import { useTipReturn } from "../lib/use-tip-return";
import styles from "./sessions.module.css";
import { formatCents, parseMoney } from "@porchlight/shared/format/money";

/** Thanks for a tip after a session, or the way to give one. Nothing for a guru who takes no cards. */
export function TipCard({ booking }: { booking: OwnBooking }) {
  const { tips, isReturning, isConfirming } = useTipReturn(booking.id);
  const { hash } = useLocation();
  const card = useRef<HTMLDivElement>(null);
  const isLoaded = tips.data !== undefined;
  useEffect(() => {
    if (isLoaded && hash === "#tip") card.current?.scrollIntoView();
  }, [isLoaded, hash]);

  // People can do without it: an error says nothing unless they come from paying.
  if (!tips.data) return isReturning && tips.isError ? <Notice tone="danger">{tips.error.message}</Notice> : null;
  const given = tippedCents(tips.data);
  if (tips.data.state !== "open" && given === 0 && !isConfirming) return null;
  return (
    <Card as="section" ref={card} id="tip" aria-labelledby="tip-title" className={styles.terms}>
      <h2 id="tip-title" className={styles.name}>
        Tip {booking.guruName}
      </h2>
      <div role="status">
        {isConfirming && <p>We’re waiting for Stripe to confirm your tip. This page updates by itself.</p>}
        {given > 0 && (
          <p>
            {isReturning && !isConfirming ? "Thank you! " : ""}
            You tipped {formatCents(given)}.
          </p>
        )}
      </div>
      {tips.data.state === "open" && !isConfirming && <TipForm booking={booking} tips={tips.data} isNext={given > 0} />}
    </Card>
  );
}

function TipForm({ booking, tips, isNext }: { booking: OwnBooking; tips: Tips; isNext: boolean }) {
  const create = useCreateTip(booking.id);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  // Of one tip: a double click, or a retry after an unclear answer, sends the same key.
  const key = useRef("");
  const input = useRef<HTMLInputElement>(null);
  const cents = parseMoney(text);
  // The browser may come back to this page from Stripe's: then the button works again.
  const isLeaving = create.isSuccess && create.data.url !== "";

  function change(changed: string) {
    setText(changed);
    setProblem("");
    key.current = "";
    create.reset();
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    const found = tipProblem(cents, tips);
    setProblem(found);
    if (found !== "" || cents === null) {
      input.current?.focus();
      return;
    }
    key.current ||= createIdempotencyKey();
    create.mutate(
      { amountCents: cents, idempotencyKey: key.current },
      {
        onSuccess: ({ url, state }) => {
          if (url !== "") window.location.assign(url);
          else if (state !== "opening") key.current = "";
        },
      },
    );
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className={styles.soft}>
        {isNext ? "You can tip again. " : "Was it a good session? "}
        {booking.guruName} gets all of it, and you pay on Stripe’s page.
      </p>
      <Choices label="Amounts">
        {tips.suggestions.map((one) => (
          <Choice
            key={one.amountCents}
            aria-pressed={cents === one.amountCents}
            onClick={() => change((one.amountCents / 100).toFixed(2))}
          >
            {suggestionText(one)}
          </Choice>
        ))}
      </Choices>
      <Field label="Amount ($)" error={problem}>
        <Input
          ref={input}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => change(event.target.value)}
        />
      </Field>
      {create.isError && <Notice tone="danger">{errorMessage(create.error)}</Notice>}
      {create.isSuccess && create.data.url === "" && (
        <Notice tone="danger">We couldn’t reach Stripe. Nothing was charged. Please try again.</Notice>
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={create.isPending || isLeaving}>
          {tipProblem(cents, tips) === "" && cents !== null ? `Tip ${formatCents(cents)}` : "Tip"}
        </Button>
      </div>
    </form>
  );
}
