import { CircleAlert, CircleCheck, Info, Lightbulb } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import styles from "./notice.module.css";

const ICONS = { info: Info, success: CircleCheck, danger: CircleAlert, lamp: Lightbulb };

type NoticeProps = { tone?: keyof typeof ICONS; children: ReactNode };

/** A message that stays on the page. Refusals are announced at once, the rest when the reader pauses. */
export function Notice({ tone = "info", children }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={cx(styles.notice, styles[tone])} role={tone === "danger" ? "alert" : "status"}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles.text}>{children}</div>
    </div>
  );
}
