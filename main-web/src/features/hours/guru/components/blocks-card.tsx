import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { LoadingBlock } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { SectionCard } from "@/components/ui/section-card";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { instantOf, today } from "@/lib/wall-time";
import type { BlockedTime } from "../lib/types";
import { useCreateBlock } from "../api/create-block";
import { useDeleteBlock } from "../api/delete-block";
import { useBlocks } from "../api/get-blocks";
import styles from "./hours.module.css";
import { StillBooked } from "./still-booked";
import { fieldErrors } from "@porchlight/shared/client";
import { formatSession, formatSessionStart, localDay } from "@porchlight/shared/format/session-times";

const SKIPPED = "Clocks change that day, so this time doesn't exist. Choose another";

function formatBlock({ startsAt, endsAt }: BlockedTime, zone: string): string {
  const isOneDay = localDay(startsAt, zone) === localDay(endsAt, zone);
  return isOneDay
    ? formatSession(startsAt, endsAt, zone)
    : `${formatSessionStart(startsAt, zone)} – ${formatSessionStart(endsAt, zone)}`;
}

/** Times at which the guru is busy. */
export function BlocksCard({ zone }: { zone: string }) {
  const blocks = useBlocks();
  const [isAdding, setIsAdding] = useState(false);
  const list = blocks.data?.blocks ?? [];
  return (
    <SectionCard
      id="hours-busy"
      title="I'm busy"
      hint="Block a trip or an appointment. Neighbors only see that the time isn't free."
    >
      {blocks.isPending && <LoadingBlock height="3.5rem" />}
      {blocks.isError && !blocks.data && (
        <ErrorState
          title="We couldn't load your busy times"
          message={blocks.error.message}
          onRetry={() => void blocks.refetch()}
          retrying={blocks.isFetching}
        />
      )}
      {list.length > 0 && (
        <ul className={styles.list} aria-label="Busy times">
          {list.map((block) => (
            <BlockRow key={block.id} block={block} label={formatBlock(block, zone)} />
          ))}
        </ul>
      )}
      {blocks.data &&
        (isAdding ? (
          <BlockForm zone={zone} onClose={() => setIsAdding(false)} />
        ) : (
          <ButtonRow>
            <Button variant="secondary" onClick={() => setIsAdding(true)}>
              Add a busy time
            </Button>
          </ButtonRow>
        ))}
    </SectionCard>
  );
}

function BlockRow({ block, label }: { block: BlockedTime; label: string }) {
  const remove = useDeleteBlock();

  async function removeBlock() {
    try {
      await remove.mutateAsync(block.id);
      toast.success("Removed. The time is free again.");
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <li className={styles.item}>
      <p>{label}</p>
      <div className={styles.itemButtons}>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Remove ${label}`}
          loading={remove.isPending}
          onClick={() => void removeBlock()}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

function BlockForm({ zone, onClose }: { zone: string; onClose: () => void }) {
  const [typed, setTyped] = useState({ startDay: today(zone), startTime: "09:00", endDay: "", endTime: "17:00" });
  const [errors, setErrors] = useState<{ startsAt?: string; endsAt?: string }>({});
  const create = useCreateBlock();
  const endDay = typed.endDay || typed.startDay;

  function set(part: Partial<typeof typed>) {
    setTyped({ ...typed, ...part });
    setErrors({});
    create.reset();
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
      await create.mutateAsync({ startsAt, endsAt });
      toast.success("Added. Neighbors can't book this time.");
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
      aria-label="New busy time"
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
      {create.isError && !hasFieldError && <Notice tone="danger">{errorMessage(create.error)}</Notice>}
      <ButtonRow>
        <Button type="submit" loading={create.isPending}>
          Save busy time
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </Stack>
  );
}
