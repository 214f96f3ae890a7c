import type { ReactNode } from "react";
import { cx } from "./cx";
import styles from "./badge.module.css";

type BadgeProps = { tone?: "neutral" | "green" | "lamp" | "danger" | "info"; children: ReactNode };

/** One or two words that mark the thing beside them. */
export function Badge({ tone = "neutral", children }: BadgeProps) {
  return <span className={cx(styles.badge, styles[tone])}>{children}</span>;
}
