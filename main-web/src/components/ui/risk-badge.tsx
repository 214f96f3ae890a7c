import { TriangleAlert } from "lucide-react";
import { Badge } from "./badge";
import styles from "./risk-badge.module.css";
import type { components } from "@porchlight/shared/api.gen";

export type Risk = components["schemas"]["OfferRisk"];

/** The risk badge, and the warning for activities that need a waiver (SPEC 2.8); nothing for a low risk. */
export function RiskBadge({ risk }: { risk: Risk }) {
  return (
    <>
      {risk.requiresWaiver ? (
        <Badge tone="danger">High Risk</Badge>
      ) : (
        risk.rating === "medium" && <Badge tone="warning">Medium Risk</Badge>
      )}
      {risk.requiresWaiver && (
        <span className={styles.waiver}>
          <TriangleAlert size={16} aria-hidden="true" />
          Waiver Required
        </span>
      )}
    </>
  );
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
