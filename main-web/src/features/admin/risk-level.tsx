import { Badge } from "../../ui/badge";
import styles from "./details.module.css";
import type { RiskReviewRow } from "./types";

type Level = RiskReviewRow["risk"]["rating"];

/** The levels there are, in words, the least first. */
export const RISK_LEVELS: Record<Level, string> = { low: "Low", medium: "Medium", high: "High", extreme: "Extreme" };

const TONES = { low: "green", medium: "lamp", high: "danger", extreme: "danger" } as const;

/** How risky something is, in one word. */
export function RiskLevel({ level }: { level: Level }) {
  return (
    <span className={styles.level}>
      <Badge tone={TONES[level]}>{RISK_LEVELS[level]}</Badge>
    </span>
  );
}
