import type { ComponentProps } from "react";
import styles from "./field-pair.module.css";

/** Short fields in one row, on narrow screens below each other. */
export function FieldPair(props: ComponentProps<"div">) {
  return <div className={styles.pair} {...props} />;
}
