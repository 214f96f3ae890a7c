import type { ComponentProps } from "react";
import styles from "./switch.module.css";

/** A checkbox that looks like a switch. Its label stands beside it. */
export function Switch(props: Omit<ComponentProps<"input">, "type" | "role" | "className">) {
  return <input {...props} type="checkbox" role="switch" className={styles.switch} />;
}
