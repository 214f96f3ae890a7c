import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import styles from "./plan-usage.module.css";

type PlanUsageProps = { used: number; limit: number; one: string; many: string };

/** How much of a counted feature is used, from half of it on: "2 of 3 priced services". */
export function PlanUsage({ used, limit, one, many }: PlanUsageProps) {
  if (used === 0 || used < limit / 2) return null;
  return (
    <p className={styles.usage}>
      {used} of {limit} {limit === 1 ? one : many}
      {used >= limit && (
        <>
          {" · "}
          <Link to={paths.pricing}>See plans</Link>
        </>
      )}
    </p>
  );
}
