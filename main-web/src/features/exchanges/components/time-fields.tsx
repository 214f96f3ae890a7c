import { useRef } from "react";
import { addDays, today } from "@/lib/wall-time";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { FieldPair } from "@/components/ui/field-pair";
import { MAX_PROPOSALS, type TypedTime } from "../lib/proposals";
import styles from "./exchanges.module.css";

const HORIZON_DAYS = 90;

type TimeFieldsProps = {
  rows: readonly TypedTime[];
  zone: string;
  /** The zone as people read it. */
  zoneLabel: string;
  problems: Record<number, string>;
  onChange: (rows: TypedTime[]) => void;
};

/** One to three times to propose, each a day and a time of day. */
export function TimeFields({ rows, zone, zoneLabel, problems, onChange }: TimeFieldsProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const set = (index: number, part: Partial<TypedTime>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));

  function remove(index: number) {
    onChange(rows.filter((_, at) => at !== index));
    group.current?.querySelector<HTMLElement>("input")?.focus();
  }

  return (
    <fieldset className={styles.times} ref={group}>
      <legend>Times that suit you</legend>
      <p className={styles.soft}>Propose up to three. They are in your time zone ({zoneLabel}).</p>
      {rows.map((row, index) => (
        <div key={index} className={styles.group} role="group" aria-label={`Time ${index + 1}`}>
          <FieldPair>
            <Field label={`Day ${index + 1}`} error={problems[index]}>
              <Input
                type="date"
                min={today(zone)}
                max={addDays(today(zone), HORIZON_DAYS)}
                value={row.day}
                onChange={(event) => set(index, { day: event.target.value })}
              />
            </Field>
            <Field label={`Time ${index + 1}`}>
              <Input type="time" value={row.time} onChange={(event) => set(index, { time: event.target.value })} />
            </Field>
          </FieldPair>
          {rows.length > 1 && (
            <div>
              <Button size="sm" variant="ghost" aria-label={`Remove time ${index + 1}`} onClick={() => remove(index)}>
                Remove
              </Button>
            </div>
          )}
        </div>
      ))}
      {rows.length < MAX_PROPOSALS && (
        <div>
          <Button size="sm" variant="secondary" onClick={() => onChange([...rows, { day: "", time: "" }])}>
            Add another time
          </Button>
        </div>
      )}
    </fieldset>
  );
}
