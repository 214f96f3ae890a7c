import { useId } from "react";
import { Field, Input } from "@/components/ui/field";
import styles from "./color-field.module.css";
import { contrastNote } from "../lib/contrast";
import type { Appearance } from "../lib/site-schema";

type ColorFieldProps = {
  label: string;
  value: string;
  error: string | undefined;
  appearance: Appearance;
  onChange: (color: string) => void;
};

/** A color picker with a text field, and a note about its contrast. */
export function ColorField({ label, value, error, appearance, onChange }: ColorFieldProps) {
  const note = useId();
  const pickerValue = /^#[0-9a-fA-F]{6}$/.test(value) ? value.toLowerCase() : "#000000";
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
          value={pickerValue}
          onChange={(event) => onChange(event.target.value)}
        />
        <p id={note} className={styles.note} aria-live="polite">
          {contrastNote(value, appearance)}
        </p>
      </div>
    </div>
  );
}
