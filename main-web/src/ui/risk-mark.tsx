import { TriangleAlert } from "lucide-react";
import { Badge } from "./badge";
import styles from "./risk-mark.module.css";
import type { components } from "@porchlight/shared/api.gen";

export type Risk = components["schemas"]["OfferRisk"];

/** The badge of what is risky, and the warning of what needs a waiver (SPEC 2.8); nothing for everyday risk. */
export function RiskMark({ risk }: { risk: Risk }) {
  return (
    <>
      {risk.requiresWaiver ? <Badge tone="danger">High Risk</Badge> : risk.rating === "medium" && <Badge tone="lamp">Medium Risk</Badge>}
      {risk.requiresWaiver && (
        <span className={styles.waiver}>
          <TriangleAlert size={16} aria-hidden="true" />
          Waiver Required
        </span>
      )}
    </>
  );
}

/** Why it is so. */
export function RiskReasons({ risk }: { risk: Risk }) {
  return (
    <ul className={styles.reasons} aria-label="Reasons">
      {risk.reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}
