import { Slot } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import styles from "./block-link.module.css";

/** Extend the link inside to the whole card or row around it. */
export function BlockLink({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <Slot.Root className={cx(styles.link, className)}>{children}</Slot.Root>;
}
