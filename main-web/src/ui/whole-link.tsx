import { Slot } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./cx";
import styles from "./whole-link.module.css";

/** Makes the link inside the one of the whole card or row around it. */
export function WholeLink({ className, children }: { className?: string; children: ReactNode }) {
  return <Slot.Root className={cx(styles.link, className)}>{children}</Slot.Root>;
}
