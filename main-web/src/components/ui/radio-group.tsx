import { useId } from "react";
import { cx } from "@/lib/cx";
import styles from "./radio-group.module.css";

type RadioGroupProps<T extends string> = {
  label: string;
  choices: readonly { value: T; label: string; hint?: string; isOff?: boolean }[];
  value: T;
  onChange: (value: T) => void;
};

/** A choice of a few, each with a hint. */
export function RadioGroup<T extends string>({ label, choices, value, onChange }: RadioGroupProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={cx(styles.choice, choice.value === value && styles.chosen, choice.isOff && styles.off)}
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            disabled={choice.isOff}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <span className={styles.label}>{choice.label}</span>
            {choice.hint && <span className={styles.hint}>{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
