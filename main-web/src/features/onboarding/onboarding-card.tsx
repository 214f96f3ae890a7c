import { Lightbulb } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { useStatus } from "./get-status";
import type { Status } from "./own";
import styles from "./onboarding-card.module.css";
import { STEPS } from "./wizard";

/** On the dashboard: the way to one's own site, and what holds it up. A site in good order has a card of its own. */
export function OnboardingCard() {
  const status = useStatus();
  if (!status.data) return null;
  const said = told(status.data);
  if (!said) return null;
  const { title, words, action } = said;
  return (
    <Card className={styles.card}>
      <Lightbulb size={22} aria-hidden="true" className={styles.icon} />
      <div className={styles.text}>
        <h3 className={styles.title}>{title}</h3>
        <p className={styles.words}>{words}</p>
      </div>
      {action}
    </Card>
  );
}

function told(status: Status) {
  const { site, step } = status;
  const done = STEPS.filter((one) => one.done(status)).length;
  if (site) return toldOfSite(site);
  if (step.reviewReady) {
    return {
      title: "Your site is ready to go",
      words: "Everything is there. Have a last look, and publish.",
      action: <To path={paths.onboardingReview}>Review &amp; publish</To>,
    };
  }
  return {
    title: "Become a Guru",
    words: done === 0 ? "Teach what you love on a site of your own." : `${done} of ${STEPS.length} steps are done.`,
    action: <To path={paths.onboarding}>{done === 0 ? "Get started" : "Go on"}</To>,
  };
}

function toldOfSite(site: NonNullable<Status["site"]>) {
  const held = site.categories.filter(({ listed }) => !listed).map(({ name }) => name);
  const list = new Intl.ListFormat("en-US").format(held);
  if (site.status === "suspended") {
    return {
      title: "Your site is suspended",
      words: "Please write to us if you think this is a mistake.",
      action: <To path={paths.contact}>Write to us</To>,
    };
  }
  if (site.status === "unpublished") {
    return {
      title: "Your site is off the air",
      words: "Publishing brings it back.",
      action: <To path={paths.onboardingReview}>Review &amp; publish</To>,
    };
  }
  if (held.length === 0) return null;
  return {
    title: "Not all you offer is listed yet",
    words: `Held back until its documents are approved: ${list}.`,
    action: <To path={paths.onboardingDocuments}>See documents</To>,
  };
}

function To({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Button asChild variant="secondary" size="sm">
      <Link to={path}>{children}</Link>
    </Button>
  );
}
