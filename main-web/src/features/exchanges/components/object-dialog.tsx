import { useState, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { toast } from "@/lib/toast-store";
import { useRecordTime } from "../api/record-time";
import { effectText, isLastRound, QUARTER } from "../lib/hours";
import type { Exchange } from "../lib/types";
import { MinutesField } from "./minutes-field";

const FORM = "object-form";
const MAX_WORDS = 1000;

/** Name another time than the neighbor recorded. The third objection ends the session without a settlement. */
export function ObjectDialog({ exchange, onClose }: { exchange: Exchange; onClose: () => void }) {
  const record = useRecordTime(exchange.id);
  const [minutes, setMinutes] = useState(Math.ceil(exchange.minutes / QUARTER) * QUARTER);
  const [words, setWords] = useState("");
  const [isSame, setIsSame] = useState(false);
  const isLast = isLastRound(exchange);
  const { name } = exchange.neighbor;

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!isLast && minutes === exchange.time.minutes) {
      setIsSame(true);
      return;
    }
    record.mutate(
      { minutes, round: exchange.time.round, words: words.trim() },
      {
        onSuccess: () => {
          toast.success(isLast ? "Nothing is entered for this session." : `${name} has 72 hours to answer.`);
          onClose();
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Object to this time"
      description={
        isLast
          ? `You two named times three times. If you object now, nothing is entered, and ${name} gets an email.`
          : `${name} can confirm your time or object to it, and gets an email.`
      }
      width={520}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form={FORM} loading={record.isPending}>
            Object
          </Button>
        </>
      }
    >
      <Stack as="form" id={FORM} onSubmit={submit} noValidate>
        {record.error && <Notice tone="danger">{record.error.message}</Notice>}
        {!isLast && (
          <MinutesField
            value={minutes}
            hint={effectText(exchange, minutes)}
            error={isSame ? `This is what ${name} recorded. Choose another time, or confirm it.` : undefined}
            onChange={(value) => {
              setMinutes(value);
              setIsSame(false);
            }}
          />
        )}
        <Field label={`Words for ${name}`} optional>
          <TextArea rows={3} maxLength={MAX_WORDS} value={words} onChange={(event) => setWords(event.target.value)} />
        </Field>
      </Stack>
    </Dialog>
  );
}
