import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import styles from "./wizard.module.css";

type SummaryCardProps = {
  /** The id of the heading. */
  id: string;
  title: string;
  /** The step where it is edited. */
  to: string;
  /** The text without children. */
  empty: string;
  children: ReactNode;
};

/** What a guru entered in one step, with a link to that step. */
export function SummaryCard({ id, title, to, empty, children }: SummaryCardProps) {
  return (
    <Card as="section" aria-labelledby={id} className={styles.stack}>
      <div className={styles.head}>
        <h2 id={id} className={styles.heading}>
          {title}
        </h2>
        <Button asChild variant="ghost" size="sm">
          <Link to={to}>
            Edit <span className="visually-hidden">{title}</span>
          </Link>
        </Button>
      </div>
      {children || <p className={styles.soft}>{empty}</p>}
    </Card>
  );
}
