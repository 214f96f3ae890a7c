import type { ComponentProps } from "react";
import { cx } from "@/lib/cx";
import styles from "./choices.module.css";

/** Small buttons in one row. With a label, one of them is pressed. */
export function Choices({ label, ...rest }: Omit<ComponentProps<"div">, "className"> & { label?: string }) {
  return <div className={styles.choices} {...(label && { role: "group", "aria-label": label })} {...rest} />;
}

/** One of the choices; `aria-pressed` marks the chosen one. */
export function Choice({ className, ...rest }: ComponentProps<"button">) {
  return <button type="button" className={cx(styles.choice, className)} {...rest} />;
}
