import { Circle, CircleCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { Card } from "@/components/ui/card";
import type { Status } from "../lib/types";
import { STEPS } from "./wizard";
import styles from "./wizard.module.css";

/** Which steps are done, with links to the others. */
export function StatusCheck({ status }: { status: Status }) {
  return (
    <Card as="section" aria-labelledby="review-check" className={styles.stack}>
      <h2 id="review-check" className={styles.heading}>
        Status check
      </h2>
      <ul className={styles.items}>
        {STEPS.map(({ name, path, done }) => (
          <li key={name} className={styles.item}>
            <span className={styles.badges}>
              {done(status) ? (
                <CircleCheck size={22} className={styles.tick} role="img" aria-label="Done" />
              ) : (
                <Circle size={22} className={styles.circle} role="img" aria-label="To do" />
              )}
              {name}
            </span>
            {!done(status) && (
              <Link className="tap-link" to={path}>
                Complete {name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
