import type { ComponentProps, ReactNode } from "react";
import styles from "./page-header.module.css";
import { TitleText } from "./title-text";

/** The heading of a page. */
export function PageTitle({ children, ...props }: ComponentProps<"h1">) {
  return (
    <h1 className={styles.title} {...props}>
      <TitleText>{children}</TitleText>
    </h1>
  );
}

/** Looks like the heading of a page that loads. The focus after navigation must not go to it and be lost with it. */
export function PendingPageTitle({ children }: { children: string }) {
  return (
    <div role="heading" aria-level={1} className={styles.title}>
      {children}
    </div>
  );
}

/** The sentence below the heading of a page. */
export function PageLead(props: ComponentProps<"p">) {
  return <p className={styles.lead} {...props} />;
}

type PageHeaderProps = {
  title: ReactNode;
  lead?: ReactNode;
  /** What belongs to the heading, below the lead. */
  more?: ReactNode;
  /** The page's actions, at its end. */
  children?: ReactNode;
};

/** The beginning of a page: heading, lead and actions. */
export function PageHeader({ title, lead, more, children }: PageHeaderProps) {
  return (
    <header className={styles.head}>
      <div>
        <PageTitle>{title}</PageTitle>
        {lead && <PageLead>{lead}</PageLead>}
        {more}
      </div>
      {children}
    </header>
  );
}
