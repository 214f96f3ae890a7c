import { Lamp } from "lucide-react";
import styles from "./porch-lights.module.css";

/** The warm light of a neighbor who is free this evening. */
export function LitBadge() {
  return (
    <span className={styles.lit}>
      <Lamp size={14} aria-hidden="true" />
      Free this evening
    </span>
  );
}
