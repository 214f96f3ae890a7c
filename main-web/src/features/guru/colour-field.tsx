import { useId } from "react";
import { Field, Input } from "../../ui/field";
import styles from "./colour-field.module.css";
import { contrastNote } from "./contrast";

type ColourFieldProps = { label: string; value: string; error: string | undefined; onChange: (colour: string) => void };

/** A color by picking or by typing, and what becomes of it on a dark page. */
export function ColourField({ label, value, error, onChange }: ColourFieldProps) {
  const note = useId();
  const known = /^#[0-9a-fA-F]{6}$/.test(value) ? value.toLowerCase() : "#000000";
  return (
    <div>
      <Field label={label} error={error}>
        <Input
          value={value}
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          className={styles.text}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <div className={styles.under}>
        <input
          type="color"
          className={styles.picker}
          aria-label={`Pick the ${label.toLowerCase()}`}
          aria-describedby={note}
          value={known}
          onChange={(event) => onChange(event.target.value)}
        />
        <p id={note} className={styles.note} aria-live="polite">
          {contrastNote(value)}
        </p>
      </div>
    </div>
  );
}
