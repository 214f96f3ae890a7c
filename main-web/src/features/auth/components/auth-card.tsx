import type { ReactNode } from "react";
import { Logo } from "@/components/ui/logo";
import { TitleText } from "@/components/ui/title-text";
import styles from "./auth-card.module.css";

type AccountCardProps = { title: ReactNode; lead: string; children: ReactNode };

/** The card around every account form. */
export function AuthCard({ title, lead, children }: AccountCardProps) {
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        <header className={styles.header}>
          <Logo size={44} />
          <h1 className={styles.title}>
            <TitleText>{title}</TitleText>
          </h1>
          {lead !== "" && <p className={styles.lead}>{lead}</p>}
        </header>
        {children}
      </div>
    </div>
  );
}
