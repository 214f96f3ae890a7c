import { Badge } from "@/components/ui/badge";
import type { WaiverLevel } from "../lib/levels";

const BADGES = {
  low: { tone: "good", label: "Low Risk" },
  medium: { tone: "neutral", label: "Medium Risk" },
  high: { tone: "danger", label: "High Risk" },
  extreme: { tone: "danger", label: "Extreme Risk" },
} as const;

export function LevelBadge({ level }: { level: WaiverLevel }) {
  return <Badge tone={BADGES[level].tone}>{BADGES[level].label}</Badge>;
}
