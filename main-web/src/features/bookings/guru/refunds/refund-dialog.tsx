import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Choice, Choices } from "@/components/ui/choices";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { errorMessage } from "@/lib/errors";
import { personName } from "@/lib/person-name";
import { toast } from "@/lib/toast-store";
import { useDebounced } from "@/lib/use-debounced";
import type { GuruBookingDetails } from "../lib/types";
import { amountProblem, sharesText } from "../lib/refund-text";
import { useCreateRefund, useRefundPreview } from "./refunds-api";
import { formatCents, moneyInputValue, parseMoney } from "@porchlight/shared/format/money";

const MAX_WORDS = 500;
const TYPING_MS = 250;

type RefundDialogProps = {
  booking: GuruBookingDetails;
  keptCents: number;
  onClose: () => void;
};

/** Returns a part of what a person paid by card, or all that is left. Says from whom each cent comes. */
export function RefundDialog({ booking, keptCents, onClose }: RefundDialogProps) {
  const [amount, setAmount] = useState("");
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState("");
  const [key, setKey] = useState(createIdempotencyKey);
  const refund = useCreateRefund(booking.id);
  const cents = parseMoney(amount) ?? 0;
  const isPossible = amountProblem(amount, keptCents) === "";
  const person = personName(booking);
  const quick = [
    ["All", keptCents],
    ["Half", Math.floor(keptCents / 2)],
  ] as const;

  function change(text: string) {
    setAmount(text);
    setProblem("");
    setKey(createIdempotencyKey()); // another amount is another request
  }

  async function submit() {
    const found = amountProblem(amount, keptCents);
    if (found !== "") {
      setProblem(found);
      return;
    }
    try {
      await refund.mutateAsync({
        idempotencyKey: key,
        refund: { amountCents: cents, keptCents, words: words.trim() },
      });
      toast.success(`${formatCents(cents)} is on its way to ${person}.`);
      onClose();
    } catch {
      return; // the notice shows it, and what was typed stays
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Refund ${person}`}
      width={480}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={refund.isPending} onClick={() => void submit()}>
            {isPossible ? `Refund ${formatCents(cents)}` : "Refund"}
          </Button>
        </>
      }
    >
      <Stack>
        <Field
          label="Amount ($)"
          hint={`Up to ${formatCents(keptCents)}. It goes back to their card.`}
          error={problem || undefined}
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            onChange={(event) => change(event.target.value)}
            onBlur={() => amount.trim() !== "" && setProblem(amountProblem(amount, keptCents))}
          />
        </Field>
        <Choices label="Quick amounts">
          {quick
            .filter(([, value]) => value > 0)
            .map(([label, value]) => (
              <Choice key={label} aria-pressed={cents === value} onClick={() => change(moneyInputValue(value))}>
                {label} ({formatCents(value)})
              </Choice>
            ))}
        </Choices>
        <Shares id={booking.id} cents={isPossible ? cents : 0} person={person} />
        <Field label={`A note to ${person}`} optional hint="It's in the email about the refund.">
          <TextArea
            rows={3}
            maxLength={MAX_WORDS}
            value={words}
            onChange={(event) => {
              setWords(event.target.value);
              setKey(createIdempotencyKey());
            }}
          />
        </Field>
        {refund.isError && <Notice tone="danger">{errorMessage(refund.error)}</Notice>}
      </Stack>
    </Dialog>
  );
}

/** From whom the money comes, by the rule of the server. */
function Shares({ id, cents, person }: { id: string; cents: number; person: string }) {
  const wanted = useDebounced(cents, TYPING_MS);
  const preview = useRefundPreview(id, wanted);
  const isCurrent = preview.data?.amountCents === cents;
  if (cents === 0) return <Hint aria-live="polite">Enter an amount to see from whom it comes.</Hint>;
  if (preview.isError) return <Notice tone="danger">{errorMessage(preview.error)}</Notice>;
  return (
    <Hint aria-live="polite" aria-busy={!isCurrent}>
      {preview.data && isCurrent ? sharesText(person, preview.data) : "Working out the shares..."}
    </Hint>
  );
}
