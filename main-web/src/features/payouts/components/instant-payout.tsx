import { useRef, useState, type SyntheticEvent } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { useDebounced } from "@/lib/use-debounced";
import { failureText, isRefused, useCreateInstantPayout } from "../api/create-instant-payout";
import { useQuote } from "../api/get-quote";
import { parseDollars } from "../lib/dollars";
import type { InstantOffer } from "../lib/types";
import styles from "./payouts.module.css";
import { formatCents } from "@porchlight/shared/format/money";

const DEBOUNCE_MS = 300; // Milliseconds without typing until the quote is requested.
const INVALID = "Enter an amount in dollars, such as 25 or 25.50, or leave it blank.";

/** Pays out all that is available, or less, within minutes (SPEC 2.15, 5, 8.7). */
export function InstantPayout({ offer }: { offer: InstantOffer }) {
  // The field is not controlled: its value is "" while the browser can't read a number in it.
  const input = useRef<HTMLInputElement>(null);
  const [{ text, isBad }, setEntry] = useState({ text: "", isBad: false });
  const [error, setError] = useState("");
  const [isConfirming, setIsConfirming] = useState(false);
  // Of one payout: a retry after an unclear answer sends the same key.
  const key = useRef("");
  const payout = useCreateInstantPayout();
  const isBlank = text.trim() === "" && !isBad;
  const amountCents = isBlank ? null : parseDollars(text);
  const typed = useDebounced(amountCents, DEBOUNCE_MS);
  const quote = useQuote(isBlank ? null : typed);
  // What the server takes for the amount that is in the field now.
  const isQuoted = quote.data?.net === amountCents && !quote.isPlaceholderData;
  const terms = isBlank ? offer : isQuoted ? quote.data : undefined;
  const refusal = typed === amountCents && quote.isError ? failureText(quote.error) : "";

  function changeEntry(changed: string, isChangedBad = false) {
    setEntry({ text: changed, isBad: isChangedBad });
    setError("");
    setIsConfirming(false); // the press was about another amount
    key.current = "";
  }

  function ask(event: SyntheticEvent) {
    event.preventDefault();
    if (!isBlank && amountCents === null) {
      setError(INVALID);
      input.current?.focus();
    } else if (refusal) {
      input.current?.focus();
      void quote.refetch(); // the reason may be over, such as a lost connection
    } else setIsConfirming(true);
  }

  function send() {
    if (!terms) return;
    key.current ||= createIdempotencyKey();
    onSettled(
      payout.mutateAsync({ amountCents, totalCents: terms.gross, key: key.current }).then((result) => {
        if (input.current) input.current.value = "";
        changeEntry("");
        setIsConfirming(false);
        toast.success(`Instant payout submitted (${formatCents(result.amountCents)}). Status: ${result.status}`);
      }),
      () => undefined,
      (reason) => {
        if (isRefused(reason)) key.current = "";
        setIsConfirming(false);
      },
    );
  }

  return (
    <Card as="section" padding="lg" className={styles.card} aria-labelledby="instant-heading">
      <h2 id="instant-heading" className={styles.heading}>
        Instant payout
      </h2>
      {offer.eligible ? (
        <form className={styles.card} noValidate onSubmit={ask}>
          <p className={styles.soft}>
            Get paid in minutes{offer.destination && ` to ${offer.destination}`}. You can get{" "}
            {formatCents(offer.minimum)} to {formatCents(offer.net)} right now. {feeSentence(offer)}
          </p>
          <div className={styles.field}>
            <Field label="Amount ($)" optional hint="Leave it blank to get everything." error={error || refusal}>
              <Input
                ref={input}
                type="number"
                inputMode="decimal"
                min="0"
                step="0.01"
                autoComplete="off"
                onChange={({ target }) => changeEntry(target.value, target.validity.badInput)}
              />
            </Field>
          </div>
          <dl className={styles.amounts} aria-live="polite">
            <Line label="You get" cents={terms?.net} />
            <Line label="Fee" cents={terms?.fee} />
            <Line label="Leaves your balance" cents={terms?.gross} />
          </dl>
          {payout.isError && <Notice tone="danger">{failureText(payout.error)}</Notice>}
          <div className={styles.foot}>
            <Button type="submit" loading={payout.isPending || (isConfirming && !terms && !refusal)}>
              Pay out now
            </Button>
          </div>
        </form>
      ) : (
        <Notice>{offer.reason}</Notice>
      )}
      <Confirm
        open={isConfirming && terms !== undefined}
        onOpenChange={setIsConfirming}
        title={`Pay out ${formatCents(terms?.net ?? 0)} now?`}
        description={
          terms === undefined
            ? ""
            : `You get ${formatCents(terms.net)}${
                offer.destination && ` on ${offer.destination}`
              }, usually within 30 minutes. With the fee of ${formatCents(terms.fee)}, ${formatCents(
                terms.gross,
              )} leaves your balance.`
        }
        action="Confirm payout"
        actionVariant="primary"
        busy={payout.isPending}
        onConfirm={send}
      />
    </Card>
  );
}

/** The price of a payout in words: "The fee is 1.5%, at least $0.50." */
function feeSentence({ feeBasisPoints, feeMinimum }: InstantOffer): string {
  const least = feeMinimum > 0 ? `, at least ${formatCents(feeMinimum)}` : "";
  return `The fee is ${feeBasisPoints / 100}%${least}.`;
}

function Line({ label, cents }: { label: string; cents: number | undefined }) {
  return (
    <div className={styles.amount}>
      <dt>{label}</dt>
      <dd>{cents === undefined ? "…" : formatCents(cents)}</dd>
    </div>
  );
}
