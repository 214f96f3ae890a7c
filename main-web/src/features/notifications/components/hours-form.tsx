import { useState, type SyntheticEvent } from "react";
import { Button } from "@/components/ui/button";
import { CheckField } from "@/components/ui/check-field";
import { Field, Input } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useUpdateHours, type Hours } from "../api/hours";
import { toMinutes, toTime } from "../lib/minutes";
import styles from "./settings.module.css";
import { browserZone } from "@porchlight/shared/format/dates";

const NIGHT = { from: "22:00", until: "07:00" };
const NO_TIME = "Please choose a time.";

/** When the digest comes and when it is quiet, by the user's clocks. */
export function HoursForm({ hours }: { hours: Hours }) {
  const here = browserZone();
  const update = useUpdateHours();
  const [zone, setZone] = useState(hours.zone || here);
  const [digestAt, setDigestAt] = useState(toTime(hours.digestAt));
  const [isQuiet, setIsQuiet] = useState(hours.quietFrom !== null);
  const [from, setFrom] = useState(hours.quietFrom === null ? NIGHT.from : toTime(hours.quietFrom));
  const [until, setUntil] = useState(hours.quietUntil === null ? NIGHT.until : toTime(hours.quietUntil));
  const [wasSent, setWasSent] = useState(false);
  const errors = {
    digestAt: toMinutes(digestAt) === null ? NO_TIME : undefined,
    from: isQuiet && toMinutes(from) === null ? NO_TIME : undefined,
    until:
      isQuiet && toMinutes(until) === null
        ? NO_TIME
        : isQuiet && from === until
          ? "Choose two different times."
          : undefined,
  };

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWasSent(true);
    const digest = toMinutes(digestAt);
    if (digest === null || errors.from || errors.until) return;
    update.mutate(
      {
        zone,
        digestAt: digest,
        quietFrom: isQuiet ? toMinutes(from) : null,
        quietUntil: isQuiet ? toMinutes(until) : null,
      },
      { onSuccess: () => toast.success("Saved") },
    );
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.time}>
        <Field label="Daily digest at" error={wasSent ? errors.digestAt : undefined}>
          <Input type="time" value={digestAt} onChange={(event) => setDigestAt(event.target.value)} />
        </Field>
      </div>
      <CheckField
        id="quiet"
        label="Quiet hours"
        checked={isQuiet}
        onChange={(event) => setIsQuiet(event.target.checked)}
      />
      {isQuiet && (
        <div className={styles.range}>
          <Field label="Quiet from" error={wasSent ? errors.from : undefined}>
            <Input type="time" value={from} onChange={(event) => setFrom(event.target.value)} />
          </Field>
          <Field label="Quiet until" error={wasSent ? errors.until : undefined}>
            <Input type="time" value={until} onChange={(event) => setUntil(event.target.value)} />
          </Field>
        </div>
      )}
      <Hint>
        By the clocks of {zone.replaceAll("_", " ")}.{" "}
        {zone !== here && (
          <button type="button" className={styles.textButton} onClick={() => setZone(here)}>
            Use {here.replaceAll("_", " ")} instead
          </button>
        )}
      </Hint>
      {update.isError && <Notice tone="danger">We couldn't save this. {update.error.message}</Notice>}
      <div>
        <Button type="submit" loading={update.isPending}>
          Save hours
        </Button>
      </div>
    </form>
  );
}
