import type { ReactNode } from "react";
import styles from "./hero-header.module.css";

type HeroHeaderProps = { eyebrow?: ReactNode; title: string; lead: string; children?: ReactNode };

/** The header of an information page. */
export function HeroHeader({ eyebrow, title, lead, children }: HeroHeaderProps) {
  return (
    <div className={styles.header}>
      <div className={`container ${styles.inner}`}>
        {typeof eyebrow === "string" ? <p className={styles.eyebrow}>{eyebrow}</p> : eyebrow}
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
    </div>
  );
}
