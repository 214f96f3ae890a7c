import type { ComponentProps, ReactNode } from "react";
import { Card } from "./card";
import { Hint } from "./hint";
import styles from "./section-card.module.css";
import stack from "./stack.module.css";

/** The heading of a section of a page of work. */
export function SectionTitle({ children, ...props }: ComponentProps<"h2">) {
  return (
    <h2 className={styles.title} {...props}>
      {children}
    </h2>
  );
}

type SectionCardProps = {
  /** The id of the heading. */
  id: string;
  title: ReactNode;
  /** What the section is about. */
  hint?: ReactNode;
  children: ReactNode;
};

/** A section of settings or of a form, with a heading. */
export function SectionCard({ id, title, hint, children }: SectionCardProps) {
  const heading = <SectionTitle id={id}>{title}</SectionTitle>;
  return (
    <Card as="section" aria-labelledby={id} className={stack.stack}>
      {hint ? (
        <div>
          {heading}
          <Hint>{hint}</Hint>
        </div>
      ) : (
        heading
      )}
      {children}
    </Card>
  );
}
