import type { ReactNode } from "react";
import { Mark } from "../../ui/mark";
import styles from "./account-card.module.css";

type AccountCardProps = { title: string; lead: string; children: ReactNode };

/** The lit doorway every account form stands in. */
export function AccountCard({ title, lead, children }: AccountCardProps) {
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        <header className={styles.header}>
          <Mark size={44} />
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.lead}>{lead}</p>
        </header>
        {children}
      </div>
    </div>
  );
}
