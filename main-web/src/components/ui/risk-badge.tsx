import { TriangleAlert } from "lucide-react";
import { Badge } from "./badge";
import styles from "./risk-badge.module.css";
import type { components } from "@porchlight/shared/api.gen";

export type Risk = components["schemas"]["OfferRisk"];

/** The risk badge, and the warning for activities that need a waiver (SPEC 2.8); nothing for other activities. */
export function RiskBadge({ risk }: { risk: Risk }) {
  if (!risk.requiresWaiver) return null;
  return (
    <>
      <Badge tone="warning">High Risk</Badge>
      <span className={styles.waiver}>
        <TriangleAlert size={16} aria-hidden="true" />
        Waiver Required
      </span>
    </>
  );
}

const MILD = { low: "Low Risk", medium: "Medium Risk" } as const;

/** The rating as its guru sees it: also a low or medium one. */
export function OwnRiskBadge({ risk }: { risk: Risk }) {
  if (risk.rating === "low" || risk.rating === "medium") {
    return <Badge tone={risk.rating === "low" ? "good" : "neutral"}>{MILD[risk.rating]}</Badge>;
  }
  return <RiskBadge risk={risk} />;
}

/** The reasons for a risk rating. */
export function RiskReasons({ risk }: { risk: Risk }) {
  return (
    <ul className={styles.reasons} aria-label="Reasons">
      {risk.reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}
