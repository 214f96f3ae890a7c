import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { cx } from "@/lib/cx";
import { LoadNotice } from "@/components/ui/load-notice";
import { useStatus } from "../api/get-status";
import type { Status } from "../lib/types";
import styles from "./wizard.module.css";

/** The steps of the wizard in order. `done` reads the status; the review is done once the site exists. */
export const STEPS = [
  { name: "Profile", path: paths.onboardingProfile, done: ({ step }: Status) => step.profileComplete },
  { name: "Categories", path: paths.onboardingCategories, done: ({ step }: Status) => step.categoriesComplete },
  { name: "Requirements", path: paths.onboardingRequirements, done: ({ step }: Status) => step.requirementsComplete },
  { name: "Payout", path: paths.onboardingPayout, done: ({ step }: Status) => step.payoutConnected },
] as const;

const WAY = [
  ...STEPS,
  { name: "Review", path: paths.onboardingReview, done: ({ site }: Status) => site !== null },
] as const;

type WizardProps = {
  title: string;
  lead: string;
  description: string;
  at: string;
  /** The content shows itself that the status didn't load. */
  showsStatusError?: boolean;
  children: ReactNode;
};

/** The layout of a wizard step, with the progress. */
export function Wizard({ title, lead, description, at, showsStatusError = false, children }: WizardProps) {
  const status = useStatus();
  return (
    <PageHead title={title} description={description}>
      <div className={`container ${styles.page}`}>
        <nav aria-label="Steps to becoming a guru">
          <ol className={styles.way}>
            {WAY.map(({ name, path, done }, index) => {
              const finished = status.data ? done(status.data) : false;
              return (
                <li key={name} className={cx(styles.stop, finished && styles.finished)}>
                  <Link to={path} aria-current={path === at ? "step" : undefined}>
                    <span className={styles.number} aria-hidden="true">
                      {finished ? <Check size={15} /> : index + 1}
                    </span>
                    <span className={styles.name}>{name}</span>
                    {finished && <span className="visually-hidden">(done)</span>}
                  </Link>
                </li>
              );
            })}
          </ol>
        </nav>
        <header>
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.lead}>{lead}</p>
        </header>
        {!showsStatusError && <LoadNotice what="your progress" queries={[status]} />}
        {children}
      </div>
    </PageHead>
  );
}
