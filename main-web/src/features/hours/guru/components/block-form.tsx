import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { instantOf, today, wallTimeOf } from "@/lib/wall-time";
import { useBlockActions } from "../lib/use-block-actions";
import styles from "./hours.module.css";
import { StillBooked } from "./still-booked";
import { fieldErrors } from "@porchlight/shared/client";

const SKIPPED = "Clocks change that day, so this time doesn't exist. Choose another";

type BlockFormProps = {
  zone: string;
  /** The blocked time to change, or without an id the time to begin with. */
  block?: { id?: string; startsAt: string; endsAt: string };
  onClose: () => void;
};

/** Block a time, or change a blocked one. What was typed stays after an error. */
export function BlockForm({ zone, block, onClose }: BlockFormProps) {
  const [typed, setTyped] = useState(() => beginningOf(block, zone));
  const [errors, setErrors] = useState<{ startsAt?: string; endsAt?: string }>({});
  const { saveBlock, save } = useBlockActions();
  const endDay = typed.endDay || typed.startDay;

  function set(part: Partial<typeof typed>) {
    setTyped({ ...typed, ...part });
    setErrors({});
    save.reset();
  }

  async function submit() {
    const startsAt = instantOf(typed.startDay, typed.startTime, zone);
    const endsAt = instantOf(endDay, typed.endTime, zone);
    if (!typed.startDay || !typed.startTime) {
      setErrors({ startsAt: "Enter a day and a time" });
      return;
    }
    if (!typed.endTime) {
      setErrors({ endsAt: "Enter a day and a time" });
      return;
    }
    if (startsAt === null) {
      setErrors({ startsAt: SKIPPED });
      return;
    }
    if (endsAt === null) {
      setErrors({ endsAt: SKIPPED });
      return;
    }
    try {
      await saveBlock({ startsAt, endsAt }, block?.id === undefined ? null : { ...block, id: block.id });
      onClose();
    } catch (reason) {
      setErrors(fieldErrors(reason));
    }
  }

  const startsAt = instantOf(typed.startDay, typed.startTime, zone);
  const endsAt = instantOf(endDay, typed.endTime, zone);
  const hasFieldError = Boolean(errors.startsAt ?? errors.endsAt);
  return (
    <Stack
      as="form"
      noValidate
      aria-label={block?.id === undefined ? "New busy time" : "Busy time"}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={styles.moment}>
        <Field label="From" error={errors.startsAt}>
          <Input
            type="date"
            min={today(zone)}
            value={typed.startDay}
            onChange={(event) => set({ startDay: event.target.value })}
          />
        </Field>
        <Field label="From, time">
          <Input type="time" value={typed.startTime} onChange={(event) => set({ startTime: event.target.value })} />
        </Field>
      </div>
      <div className={styles.moment}>
        <Field label="To" error={errors.endsAt}>
          <Input
            type="date"
            min={typed.startDay}
            value={endDay}
            onChange={(event) => set({ endDay: event.target.value })}
          />
        </Field>
        <Field label="To, time">
          <Input type="time" value={typed.endTime} onChange={(event) => set({ endTime: event.target.value })} />
        </Field>
      </div>
      <StillBooked after={startsAt} before={endsAt} text="You have sessions then. Cancel or move them first:" />
      {save.isError && !hasFieldError && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      <ButtonRow>
        <Button type="submit" loading={save.isPending}>
          Save busy time
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </Stack>
  );
}

function beginningOf(block: BlockFormProps["block"], zone: string) {
  if (!block) return { startDay: today(zone), startTime: "09:00", endDay: "", endTime: "17:00" };
  const [start, end] = [wallTimeOf(block.startsAt, zone), wallTimeOf(block.endsAt, zone)];
  return { startDay: start.day, startTime: start.time, endDay: end.day, endTime: end.time };
}
