import { Circle, CircleCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import { useStatus } from "./get-status";
import type { Status } from "./own";
import { STEPS } from "./wizard";
import styles from "./wizard.module.css";

const HINTS: Record<(typeof STEPS)[number]["name"], string> = {
  Profile: "Your name, your city and a few words about you.",
  Categories: "What you teach or help with.",
  Requirements: "Documents for what needs them.",
  Payout: "Where your earnings go.",
};

/** The way to becoming a guru as a checklist (SPEC 2.14). */
export function ChecklistPage() {
  const status = useStatus();
  return (
    <Page title="Become a Guru" description="Four steps to a site of your own on Porchlight.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Become a Guru</h1>
          <p className={styles.lead}>Four steps to a site of your own. Everything is kept as you go, on every device.</p>
        </header>
        {status.isPending && <Skeleton height="20rem" radius="md" />}
        {status.isError && !status.data && (
          <ErrorState
            title="Your checklist is out of reach"
            message="Failed to load onboarding status. Please try again later."
            onRetry={() => void status.refetch()}
            retrying={status.isFetching}
          />
        )}
        {status.data && <Checklist status={status.data} />}
        <Notice tone="lamp">Background checks are coming soon.</Notice>
      </div>
    </Page>
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
