import type { ComponentProps, ReactNode } from "react";
import styles from "./waiver-modal.module.css";

/** A checkbox with a sentence that the signer confirms. */
export function WaiverCheck({ children, ...input }: ComponentProps<"input"> & { children: ReactNode }) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  );
}
