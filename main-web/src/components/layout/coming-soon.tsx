import { Check, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { PageMetadata } from "@/lib/page-head";
import { Badge } from "../ui/badge";
import styles from "./coming-soon.module.css";
import { HeroHeader } from "./hero-header";
import { PageHead } from "./page-head";

export type ComingSoonContent = {
  /** The titles are those in SPEC 2.2. */
  head: PageMetadata;
  icon: LucideIcon;
  lead: string;
  features: string[];
};

/** A page for a feature that is not available yet: its title, planned content and what already works. */
export function ComingSoon({ content, children }: { content: ComingSoonContent; children?: ReactNode }) {
  const { head, icon: Icon, lead, features } = content;
  return (
    <PageHead {...head}>
      <HeroHeader eyebrow={<Badge tone="warning">Coming Soon</Badge>} title={head.title} lead={lead} />
      <div className={`container ${styles.body}`}>
        <section className={styles.features} aria-labelledby="coming-features">
          <span className={styles.icon}>
            <Icon size={24} aria-hidden="true" />
          </span>
          <h2 id="coming-features" className={styles.heading}>
            What you'll find here
          </h2>
          <ul className={styles.list}>
            {features.map((feature) => (
              <li key={feature}>
                <Check size={18} aria-hidden="true" />
                {feature}
              </li>
            ))}
          </ul>
        </section>
        {children && <div className={styles.aside}>{children}</div>}
      </div>
    </PageHead>
  );
}
