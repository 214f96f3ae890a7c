import type { ReactNode } from "react";
import styles from "./two-columns.module.css";

/** A wide column with a narrow one beside it, or below it on a narrow screen. */
export function TwoColumns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}
