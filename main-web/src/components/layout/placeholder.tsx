import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { PageHead } from "./page-head";
import styles from "./placeholder.module.css";

type PlaceholderProps = { icon: LucideIcon; title: string; description: string; text: string; children?: ReactNode };

/** A page for a feature that is switched off. */
export function Placeholder({ icon: Icon, title, description, text, children }: PlaceholderProps) {
  return (
    <PageHead title={title} description={description}>
      <section className={styles.page}>
        <span className={styles.icon}>
          <Icon size={28} aria-hidden="true" />
        </span>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.text}>{text}</p>
        {children}
      </section>
    </PageHead>
  );
}
