import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import styles from "./wizard.module.css";

/** The heading of a summary, with a link to the step that it is about. */
export function SummaryHeading({ id, to, children }: { id: string; to: string; children: string }) {
  return (
    <div className={styles.head}>
      <h2 id={id} className={styles.heading}>
        {children}
      </h2>
      <Button asChild variant="ghost" size="sm">
        <Link to={to}>
          Edit <span className="visually-hidden">{children}</span>
        </Link>
      </Button>
    </div>
  );
}
