import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { LoadingBlock } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { SectionCard } from "@/components/ui/section-card";
import { Hint } from "@/components/ui/hint";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { addDays, instantOf, today } from "@/lib/wall-time";
import type { FixedStart } from "../lib/types";
import { useCreateFixedStart } from "../api/create-fixed-start";
import { useDeleteFixedStart } from "../api/delete-fixed-start";
import { useFixedStarts } from "../api/get-fixed-starts";
import styles from "./service-booking.module.css";
import { fieldErrors } from "@porchlight/shared/client";
import { formatSession, formatSessionStart } from "@porchlight/shared/format/session-times";

type FixedStartsCardProps = { serviceId: string; zone: string };

/** The dates and times of a service whose sessions start when the guru sets them. */
export function FixedStartsCard({ serviceId, zone }: FixedStartsCardProps) {
  const starts = useFixedStarts(serviceId);
  const list = starts.data?.starts ?? [];
  return (
    <SectionCard id="booking-starts" title="Dates and times">
      {starts.isPending && <LoadingBlock height="6rem" />}
      {starts.isError && !starts.data && (
        <ErrorState
          title="We couldn't load the dates"
          message={starts.error.message}
          onRetry={() => void starts.refetch()}
          retrying={starts.isFetching}
        />
      )}
      {starts.data && list.length === 0 && <Hint>No dates yet. Add the first one and neighbors can book it.</Hint>}
      {list.length > 0 && (
        <ul className={styles.starts} aria-label="Dates and times">
          {list.map((start) => (
            <StartRow key={start.id} start={start} serviceId={serviceId} zone={zone} />
          ))}
        </ul>
      )}
      {starts.data && <StartForm serviceId={serviceId} zone={zone} />}
    </SectionCard>
  );
}

function StartRow({ start, serviceId, zone }: { start: FixedStart } & FixedStartsCardProps) {
  const remove = useDeleteFixedStart(serviceId);

  async function removeStart() {
    try {
      await remove.mutateAsync(start.id);
      toast.success("Removed.");
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <li className={styles.start}>
      <div>
        <p>{formatSession(start.startsAt, start.endsAt, zone)}</p>
        <Hint>
          {start.taken} of {start.capacity} {start.capacity === 1 ? "spot" : "spots"} taken
        </Hint>
      </div>
      {start.taken === 0 && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Remove ${formatSessionStart(start.startsAt, zone)}`}
          loading={remove.isPending}
          onClick={() => void removeStart()}
        >
          Remove
        </Button>
      )}
    </li>
  );
}

function StartForm({ serviceId, zone }: FixedStartsCardProps) {
  const [day, setDay] = useState("");
  const [time, setTime] = useState("18:00");
  const [error, setError] = useState("");
  const create = useCreateFixedStart(serviceId);

  async function submit() {
    const startsAt = instantOf(day, time, zone);
    if (startsAt === null) {
      setError(
        day && time ? "Clocks change that day, so this time doesn't exist. Choose another" : "Enter a date and a time",
      );
      return;
    }
    try {
      await create.mutateAsync(startsAt);
      toast.success(`Added ${formatSessionStart(startsAt, zone)}.`);
      // The usual next date of a class.
      setDay(addDays(day, 7));
    } catch (reason) {
      setError(fieldErrors(reason).startsAt ?? "");
    }
  }

  function reset() {
    setError("");
    create.reset();
  }

  return (
    <Stack
      as="form"
      noValidate
      aria-label="New date"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={styles.add}>
        <Field label="Date" error={error || undefined}>
          <Input
            type="date"
            min={today(zone)}
            value={day}
            onChange={(event) => {
              setDay(event.target.value);
              reset();
            }}
          />
        </Field>
        <Field label="Start">
          <Input
            type="time"
            value={time}
            onChange={(event) => {
              setTime(event.target.value);
              reset();
            }}
          />
        </Field>
      </div>
      {create.isError && !error && <Notice tone="danger">{errorMessage(create.error)}</Notice>}
      <ButtonRow>
        <Button type="submit" variant="secondary" loading={create.isPending}>
          Add date
        </Button>
      </ButtonRow>
    </Stack>
  );
}
