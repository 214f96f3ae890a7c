import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { SectionCard } from "@/components/ui/section-card";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { Hint } from "@/components/ui/hint";
import { Choice, Choices } from "@/components/ui/choices";
import { errorMessage } from "@/lib/errors";
import { addDays, instantOf, today } from "@/lib/wall-time";
import type { CalendarSettings, HoursOfDate } from "../lib/types";
import { useDeleteDateHours } from "../api/delete-date-hours";
import { useUpdateDateHours } from "../api/update-date-hours";
import {
  formatRanges,
  isWithin,
  parseRanges,
  PROPOSED_RANGE,
  rangesError,
  typedRanges,
  type TypedRange,
} from "../lib/ranges";
import styles from "./hours.module.css";
import { RangeFields } from "./range-fields";
import { StillBooked } from "./still-booked";
import { formatSessionDay } from "@porchlight/shared/format/session-times";

/** Format "2026-12-01" as "Tue, Dec 1". */
const formatDay = (day: string) => formatSessionDay(`${day}T12:00:00Z`, "UTC");

/** Days off, and dates with other hours than their weekday. */
export function DatesCard({ calendar }: { calendar: CalendarSettings }) {
  const [editing, setEditing] = useState<HoursOfDate | "new" | null>(null);
  const { dates, zone } = calendar;
  return (
    <SectionCard
      id="hours-dates"
      title="Days off and special hours"
      hint="They replace your weekly hours on that date."
    >
      {dates.length > 0 && (
        <ul className={styles.list} aria-label="Dates">
          {dates.map((date) => (
            <DateRow key={date.day} date={date} onEdit={() => setEditing(date)} />
          ))}
        </ul>
      )}
      {editing === null ? (
        <ButtonRow>
          <Button variant="secondary" onClick={() => setEditing("new")}>
            Add a date
          </Button>
        </ButtonRow>
      ) : (
        <DateForm
          key={editing === "new" ? "new" : editing.day}
          date={editing === "new" ? null : editing}
          zone={zone}
          onClose={() => setEditing(null)}
        />
      )}
    </SectionCard>
  );
}

function DateRow({ date, onEdit }: { date: HoursOfDate; onEdit: () => void }) {
  const remove = useDeleteDateHours();
  const day = formatDay(date.day);

  async function removeDate() {
    try {
      await remove.mutateAsync(date.day);
      toast.success("Removed. Your weekly hours apply again.");
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <li className={styles.item}>
      <div>
        <p className={styles.strong}>{day}</p>
        <Hint>{date.ranges.length === 0 ? "Day off" : formatRanges(date.ranges)}</Hint>
      </div>
      <div className={styles.itemButtons}>
        <Button size="sm" variant="ghost" aria-label={`Edit ${day}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Remove ${day}`}
          loading={remove.isPending}
          onClick={() => void removeDate()}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

type DateFormProps = { date: HoursOfDate | null; zone: string; onClose: () => void };

function DateForm({ date, zone, onClose }: DateFormProps) {
  const firstDay = today(zone);
  const [day, setDay] = useState(date?.day ?? "");
  const [isOff, setIsOff] = useState(date === null || date.ranges.length === 0);
  const [ranges, setRanges] = useState<TypedRange[]>(date?.ranges.length ? typedRanges(date.ranges) : [PROPOSED_RANGE]);
  const [dayError, setDayError] = useState("");
  const save = useUpdateDateHours();
  const error = isOff ? "" : rangesError(ranges) || (ranges.length === 0 ? "Add hours, or choose a day off." : "");

  async function submit() {
    if (day < firstDay) {
      setDayError("Choose today or a later date");
      return;
    }
    if (error) return;
    try {
      await save.mutateAsync({ day, ranges: isOff ? [] : (parseRanges(ranges) ?? []) });
      toast.success(isOff ? `${formatDay(day)} is a day off.` : `Saved your hours on ${formatDay(day)}.`);
      onClose();
    } catch {
      // The error is shown below.
    }
  }

  return (
    <Stack
      as="form"
      noValidate
      aria-label={date ? `Hours on ${formatDay(date.day)}` : "New date"}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {!date && (
        <Field label="Date" error={dayError || undefined}>
          <Input
            type="date"
            min={firstDay}
            value={day}
            onChange={(event) => {
              setDay(event.target.value);
              setDayError("");
            }}
          />
        </Field>
      )}
      {date && <p className={styles.strong}>{formatDay(date.day)}</p>}
      <Choices label="Hours of the date">
        <Choice aria-pressed={isOff} onClick={() => setIsOff(true)}>
          Day off
        </Choice>
        <Choice aria-pressed={!isOff} onClick={() => setIsOff(false)}>
          Special hours
        </Choice>
      </Choices>
      {!isOff && <RangeFields name="the date" ranges={ranges} error={error} onChange={setRanges} />}
      <StillBooked
        after={day >= firstDay ? instantOf(day, "00:00", zone) : null}
        before={day >= firstDay ? instantOf(addDays(day, 1), "00:00", zone) : null}
        text="Sessions outside these hours stay booked. Cancel or move them if you can't come:"
        isAffected={(booking) => !isWithin(isOff ? [] : (parseRanges(ranges) ?? []), booking, zone)}
      />
      {save.isError && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      <ButtonRow>
        <Button type="submit" loading={save.isPending}>
          Save date
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </Stack>
  );
}
