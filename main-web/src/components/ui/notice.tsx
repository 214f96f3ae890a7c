import { CircleAlert, CircleCheck, Info, Lightbulb } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import styles from "./notice.module.css";

const ICONS = { info: Info, success: CircleCheck, danger: CircleAlert, warning: Lightbulb };

type NoticeProps = { tone?: keyof typeof ICONS; children: ReactNode };

/** A message on the page. Errors are announced at once, others when the screen reader is idle. */
export function Notice({ tone = "info", children }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={cx(styles.notice, styles[tone])} role={tone === "danger" ? "alert" : "status"}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles.text}>{children}</div>
    </div>
  );
}
