import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import styles from "./badge.module.css";

type BadgeProps = { tone?: "neutral" | "good" | "warning" | "danger" | "info"; children: ReactNode };

/** A label of one or two words. */
export function Badge({ tone = "neutral", children }: BadgeProps) {
  return <span className={cx(styles.badge, styles[tone])}>{children}</span>;
}
