import { useState, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { toast } from "@/lib/toast-store";
import { useAnswerExchange } from "../api/answer-exchange";
import { checkTimes, firstTime, type TypedTime } from "../lib/proposals";
import type { Exchange } from "../lib/types";
import { TimeFields } from "./time-fields";
import { viewerZone, zoneName } from "@porchlight/shared/format/session-times";

const FORM = "counter-form";
const MAX_WORDS = 1000;

/** Propose other times. What was typed stays after an error. */
export function CounterDialog({ exchange, onClose }: { exchange: Exchange; onClose: () => void }) {
  const zone = viewerZone();
  const answer = useAnswerExchange(exchange.id);
  const [rows, setRows] = useState<TypedTime[]>([firstTime(zone)]);
  const [problems, setProblems] = useState<Record<number, string>>({});
  const [words, setWords] = useState("");
  const name = exchange.neighbor.name;

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const checked = checkTimes(rows, zone);
    if ("problems" in checked) {
      setProblems(checked.problems);
      return;
    }
    answer.mutate(
      { answer: "counter", sequence: exchange.sequence, starts: checked.starts, words: words.trim(), zone },
      {
        onSuccess: () => {
          toast.success(`We've sent your times to ${name}.`);
          onClose();
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Propose other times"
      description={`${name} can accept one of them. Times can be proposed three times in all; this is number ${exchange.round + 1}.`}
      width={520}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form={FORM} loading={answer.isPending}>
            Propose
          </Button>
        </>
      }
    >
      <Stack as="form" id={FORM} onSubmit={submit} noValidate>
        {answer.error && <Notice tone="danger">{answer.error.message}</Notice>}
        <TimeFields
          rows={rows}
          zone={zone}
          zoneLabel={zoneName(new Date().toISOString(), zone)}
          problems={problems}
          onChange={(changed) => {
            setRows(changed);
            setProblems({});
          }}
        />
        <Field label={`Words for ${name}`} optional>
          <TextArea rows={3} maxLength={MAX_WORDS} value={words} onChange={(event) => setWords(event.target.value)} />
        </Field>
      </Stack>
    </Dialog>
  );
}
