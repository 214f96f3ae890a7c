import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useSlots } from "../api/get-slots";
import { daysOfSlots, type MovedSession } from "../lib/slot-days";
import styles from "./time-choice.module.css";
import {
  formatClock,
  formatSessionDay,
  formatSessionStart,
  localDay,
  zoneName,
} from "@porchlight/shared/format/session-times";

type TimeChoiceProps = {
  session: MovedSession;
  guruLabel: string;
  serviceId: string;
  /** The chosen start, "" for none. */
  start: string;
  onStartChange: (start: string) => void;
  /** The text when there is no free time. */
  none: string;
};

/** Choose another free time of a session's service: a day, then a start. */
export function TimeChoice({ session, guruLabel, serviceId, start, onStartChange, none }: TimeChoiceProps) {
  const { zone } = session;
  const [from, setFrom] = useState("");
  const [chosenDay, setChosenDay] = useState("");
  const slots = useSlots(guruLabel, serviceId, from);
  const days = daysOfSlots(slots.data?.starts ?? [], session);
  const day = days.find(({ date }) => date === chosenDay) ?? days[0];
  if (slots.isPending) {
    return (
      <div aria-busy="true">
        <p role="status" className={styles.soft}>
          Looking for times…
        </p>
        <Skeleton height="8rem" radius="md" />
      </div>
    );
  }
  if (!slots.data) {
    return (
      <ErrorState
        title="We couldn't load the times."
        message={slots.error.message}
        onRetry={() => void slots.refetch()}
        retrying={slots.isFetching}
      />
    );
  }
  if (!day) {
    const next = slots.data.next?.startsAt;
    return (
      <>
        <p role="status">{next ? `The next free time is ${formatSessionStart(next, zone)}.` : none}</p>
        {next && from === "" && (
          <Button variant="secondary" onClick={() => setFrom(localDay(next, zone))}>
            See these times
          </Button>
        )}
      </>
    );
  }
  return (
    <>
      <Field label="Day">
        <Select
          value={day.date}
          onChange={(event) => {
            setChosenDay(event.target.value);
            onStartChange("");
          }}
        >
          {days.map(({ date, starts: [first = ""] }) => (
            <option key={date} value={date}>
              {formatSessionDay(first, zone)}
            </option>
          ))}
        </Select>
      </Field>
      <fieldset className={styles.times}>
        <legend>Time ({zoneName(day.starts[0] ?? "", zone)})</legend>
        {day.starts.map((each) => (
          <label key={each} className={styles.time}>
            <input
              type="radio"
              name="start"
              value={each}
              checked={each === start}
              onChange={() => onStartChange(each)}
            />
            <span>{formatClock(each, zone)}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
