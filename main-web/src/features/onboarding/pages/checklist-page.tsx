import { Circle, CircleCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { LoadingBlock } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useStatus } from "../api/get-status";
import type { Status } from "../lib/types";
import { STEPS } from "../components/wizard";
import styles from "../components/wizard.module.css";

const HINTS: Record<(typeof STEPS)[number]["name"], string> = {
  Profile: "Your name, your city and a few words about you.",
  Categories: "What you teach or help with.",
  Requirements: "Documents, if your categories need any.",
  Payout: "Where we send your earnings.",
};

/** The checklist for becoming a guru (SPEC 2.14). */
export function ChecklistPage() {
  const status = useStatus();
  return (
    <PageHead title="Become a Guru" description="Get your own site on Porchlight in four steps.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Become a Guru</h1>
          <p className={styles.lead}>Get your own site in four steps. Your progress is saved automatically.</p>
        </header>
        {status.isPending && <LoadingBlock height="20rem" />}
        {status.isError && !status.data && (
          <ErrorState
            title="We couldn't load your checklist"
            message="Failed to load onboarding status. Please try again later."
            onRetry={() => void status.refetch()}
            retrying={status.isFetching}
          />
        )}
        {status.data && <Checklist status={status.data} />}
        <Notice tone="warning">Background checks are coming soon.</Notice>
      </div>
    </PageHead>
  );
}

function Checklist({ status }: { status: Status }) {
  return (
    <>
      <ul className={styles.rows}>
        {STEPS.map(({ name, path, done }) => {
          const finished = done(status);
          return (
            <li key={name} className={styles.row}>
              {finished ? (
                <CircleCheck size={26} className={styles.tick} aria-label="Done" role="img" />
              ) : (
                <Circle size={26} className={styles.circle} aria-label="To do" role="img" />
              )}
              <div className={styles.rowText}>
                <h2 className={styles.rowName}>{name}</h2>
                <p className={styles.note}>{HINTS[name]}</p>
              </div>
              <Button asChild variant={finished ? "ghost" : "secondary"} size="sm">
                <Link to={path}>
                  {finished ? "Review" : "Complete"} <span className="visually-hidden">{name}</span>
                </Link>
              </Button>
            </li>
          );
        })}
      </ul>
      <div className={styles.foot}>
        {status.step.reviewReady ? (
          <Button asChild size="lg">
            <Link to={paths.onboardingReview}>Review &amp; publish</Link>
          </Button>
        ) : (
          <p className={styles.soft}>Complete previous steps</p>
        )}
        {status.site?.status === "active" && <a href={status.site.url}>See your site</a>}
      </div>
    </>
  );
}
