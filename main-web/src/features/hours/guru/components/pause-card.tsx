import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { SectionCard } from "@/components/ui/section-card";
import { ButtonRow } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { addDays, instantOf, today } from "@/lib/wall-time";
import type { CalendarSettings } from "../lib/types";
import { useUpdateCalendar } from "../api/update-calendar";
import styles from "./hours.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

type PauseCardProps = { calendar: CalendarSettings; reload: () => Promise<CalendarSettings> };

/** Stops new bookings until a day, or takes them again. */
export function PauseCard({ calendar, reload }: PauseCardProps) {
  const [day, setDay] = useState("");
  const [error, setError] = useState("");
  const update = useUpdateCalendar();
  // Longer than the update's own: the newest revision is loaded before it.
  const [isSaving, setIsSaving] = useState(false);
  const { pausedUntil, zone } = calendar;
  const [now] = useState(() => Date.now());
  const isPaused = pausedUntil !== null && Date.parse(pausedUntil) > now;

  async function pause(until: string | null, saved: string) {
    setIsSaving(true);
    setError("");
    try {
      // The pause does not depend on what else changed, so it is saved on top of the newest revision.
      const { revision } = await reload();
      await update.mutateAsync({ revision, pausedUntil: until });
      setDay("");
      toast.success(saved);
    } catch (reason) {
      setError(errorMessage(reason));
    }
    setIsSaving(false);
  }

  function submit() {
    const until = instantOf(day, "00:00", zone);
    if (day <= today(zone) || until === null) setError("Choose a day after today");
    else void pause(until, "Paused. Sessions that are booked stay booked.");
  }

  return (
    <SectionCard
      id="hours-pause"
      title="Pause bookings"
      hint="Neighbors can't book new sessions until then. Booked sessions stay."
    >
      {isPaused ? (
        <>
          <Notice tone="warning">Not taking bookings until {formatSessionStart(pausedUntil, zone)}.</Notice>
          {error && <Notice tone="danger">{error}</Notice>}
          <ButtonRow>
            <Button
              variant="secondary"
              loading={isSaving}
              onClick={() => void pause(null, "You're taking bookings again.")}
            >
              Take bookings again
            </Button>
          </ButtonRow>
        </>
      ) : (
        <form
          className={styles.inline}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field label="Not taking bookings until" error={error || undefined}>
            <Input
              type="date"
              min={addDays(today(zone), 1)}
              value={day}
              onChange={(event) => {
                setDay(event.target.value);
                setError("");
              }}
            />
          </Field>
          <Button type="submit" variant="secondary" loading={isSaving}>
            Pause
          </Button>
        </form>
      )}
    </SectionCard>
  );
}
