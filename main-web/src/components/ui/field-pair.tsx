import type { ComponentProps } from "react";
import styles from "./field-pair.module.css";

/** Short fields in one row, on narrow screens below each other. */
export function FieldPair(props: ComponentProps<"div">) {
  return <div className={styles.pair} {...props} />;
}

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
