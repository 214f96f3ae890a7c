import type { ComponentProps } from "react";
import styles from "./check-field.module.css";

/** A checkbox with its label. */
export function CheckField({
  id,
  label,
  ...rest
}: Omit<ComponentProps<"input">, "type"> & { id: string; label: string }) {
  return (
    <div className={styles.check}>
      <input id={id} type="checkbox" {...rest} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
