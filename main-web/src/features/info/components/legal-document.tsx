import type { ReactNode } from "react";
import type { PageMetadata } from "@/lib/page-head";
import { PageHead } from "@/components/layout/page-head";
import styles from "./legal-document.module.css";

export type LegalSection = { id: string; title: string; body: ReactNode };

type LegalDocumentProps = { head: PageMetadata; lead: string; sections: LegalSection[] };

/** A legal text with its date (SPEC 2.10) and a table of contents. */
export function LegalDocument({ head, lead, sections }: LegalDocumentProps) {
  return (
    <PageHead {...head}>
      <div className={`container ${styles.page}`}>
        <header className={styles.header}>
          <h1 className={styles.title}>{head.title}</h1>
          <p className={styles.date}>Last updated: December 2024</p>
          <p className={styles.lead}>{lead}</p>
        </header>
        <nav className={styles.contents} aria-label="On this page">
          <ol className={styles.list}>
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`} className={styles.entry}>
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <article className={styles.text}>
          {sections.map((section, index) => (
            <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
              <h2 id={`${section.id}-title`} className={styles.heading}>
                {index + 1}. {section.title}
              </h2>
              {section.body}
            </section>
          ))}
        </article>
      </div>
    </PageHead>
  );
}
