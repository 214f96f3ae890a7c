import type { Interval } from "../lib/choices";
import styles from "./interval-choice.module.css";

const INTERVALS: [Interval, string][] = [
  ["month", "Monthly"],
  ["year", "Yearly"],
];

/** Choose monthly or yearly payment. */
export function IntervalChoice({ value, onChange }: { value: Interval; onChange: (interval: Interval) => void }) {
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">Payment</legend>
      <div className={styles.options}>
        {INTERVALS.map(([interval, label]) => (
          <label key={interval} className={styles.option}>
            <input
              type="radio"
              name="plan-interval"
              value={interval}
              checked={value === interval}
              onChange={() => onChange(interval)}
            />
            {label}
          </label>
        ))}
      </div>
      <p className={styles.hint}>Yearly saves two months</p>
    </fieldset>
  );
}
