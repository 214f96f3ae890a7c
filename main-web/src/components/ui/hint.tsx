import type { ComponentProps } from "react";
import styles from "./hint.module.css";

/** A quiet sentence that explains what is beside it. */
export function Hint({ as: Tag = "p", ...rest }: ComponentProps<"p"> & { as?: "p" | "span" }) {
  const Any = Tag as "p";
  return <Any className={styles.hint} {...rest} />;
}
