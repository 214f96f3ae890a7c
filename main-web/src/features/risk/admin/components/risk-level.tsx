import { Badge } from "@/components/ui/badge";
import styles from "@/components/ui/details.module.css";
import type { RiskReviewRow } from "../lib/types";

type Level = RiskReviewRow["risk"]["rating"];

/** Labels of the risk levels, lowest first. */
export const RISK_LEVELS: Record<Level, string> = { low: "Low", medium: "Medium", high: "High", extreme: "Extreme" };

const TONES = { low: "good", medium: "neutral", high: "warning", extreme: "danger" } as const;

/** The badge of a risk level. */
export function RiskLevel({ level }: { level: Level }) {
  return (
    <span className={styles.level}>
      <Badge tone={TONES[level]}>{RISK_LEVELS[level]}</Badge>
    </span>
  );
}
