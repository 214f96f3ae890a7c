import { Lightbulb } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import { useStatus } from "../api/get-status";
import type { Status } from "../lib/types";
import styles from "./onboarding-card.module.css";
import { STEPS } from "./wizard";
import { formatList } from "@porchlight/shared/format/numbers";

/** A dashboard card: the progress of the wizard and what blocks publishing. Hidden once the site is published. */
export function OnboardingCard() {
  const status = useStatus();
  if (!status.data) return <LoadNotice what="your steps to becoming a guru" queries={[status]} />;
  const content = cardContent(status.data);
  if (!content) return null;
  const { title, text, action } = content;
  return (
    <Card className={styles.card}>
      <Lightbulb size={22} aria-hidden="true" className={styles.icon} />
      <div className={styles.details}>
        <h3 className={styles.title}>{title}</h3>
        <p className={styles.text}>{text}</p>
      </div>
      {action}
    </Card>
  );
}

function cardContent(status: Status) {
  const { site, step } = status;
  const done = STEPS.filter((wizardStep) => wizardStep.done(status)).length;
  if (site) return siteContent(site);
  if (step.reviewReady) {
    return {
      title: "Your site is ready to go",
      text: "Everything's ready. Take one last look, then publish.",
      action: <To path={paths.onboardingReview}>Review &amp; publish</To>,
    };
  }
  return {
    title: "Become a Guru",
    text: done === 0 ? "Teach what you love on your own site." : `${done} of ${STEPS.length} steps done.`,
    action: <To path={paths.onboarding}>{done === 0 ? "Get started" : "Continue"}</To>,
  };
}

function siteContent(site: NonNullable<Status["site"]>) {
  const heldBack = site.categories.filter(({ listed, overLimit }) => !listed && !overLimit).map(({ name }) => name);
  const list = formatList(heldBack);
  if (site.status === "suspended") return null; // the card of the site says why
  if (site.status === "unpublished") {
    return {
      title: "Your site is offline",
      text: "Publish it to bring it back.",
      action: <To path={paths.onboardingReview}>Review &amp; publish</To>,
    };
  }
  if (heldBack.length === 0) return null;
  return {
    title: "Some categories aren't listed yet",
    text: `Waiting for document approval: ${list}.`,
    action: <To path={paths.onboardingDocuments}>View documents</To>,
  };
}

function To({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Button asChild variant="secondary" size="sm">
      <Link to={path}>{children}</Link>
    </Button>
  );
}
