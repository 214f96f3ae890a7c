import { ClipboardList } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Notice } from "../../ui/notice";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import { DOCUMENT_STATES } from "./document-states";
import { useRequirements } from "./get-requirements";
import type { Needed } from "./own";
import { Wizard } from "./wizard";
import styles from "./wizard.module.css";

/** The third step: what the chosen categories want to be shown (SPEC 2.14). */
export function RequirementsPage() {
  const requirements = useRequirements();
  return (
    <Wizard
      at={paths.onboardingRequirements}
      title="Requirements"
      lead="What we want to see before a category is listed on your site."
      description="The third step to becoming a guru: the documents that your categories need."
    >
      {requirements.isPending && <Loading />}
      {requirements.isError && !requirements.data && (
        <ErrorState
          title="The requirements are out of reach"
          message="Failed to load requirements. Please try again later."
          onRetry={() => void requirements.refetch()}
          retrying={requirements.isFetching}
        />
      )}
      {requirements.data && <List needed={requirements.data.needed} />}
    </Wizard>
  );
}

function List({ needed }: { needed: readonly Needed[] }) {
  if (needed.length === 0) {
    return (
      <EmptyState
        icon={ClipboardList}
        title="Nothing chosen yet"
        action={
          <Button asChild size="sm">
            <Link to={paths.onboardingCategories}>Choose what you offer</Link>
          </Button>
        }
      >
        What is needed depends on what you offer.
      </EmptyState>
    );
  }
  const missing = needed.some(({ submitted }) => !submitted);
  const wanted = needed.some(({ documents }) => documents.length > 0);
  return (
    <>
      <ul className={styles.papers}>
        {needed.map((category) => (
          <Category key={category.slug} category={category} />
        ))}
      </ul>
      {wanted ? (
        <Notice tone="lamp">
          You can publish as soon as your documents are sent. A category that needs some appears on your site once they are
          approved.
        </Notice>
      ) : (
        <Notice tone="success">Nothing you offer needs a document. You can go on.</Notice>
      )}
      <div className={styles.foot}>
        <Button asChild variant={missing ? "primary" : "secondary"}>
          <Link to={paths.onboardingDocuments}>{wanted ? "Upload documents" : "Documents"}</Link>
        </Button>
        <Button asChild variant={missing ? "ghost" : "primary"}>
          <Link to={paths.onboardingPayout}>Continue to payout</Link>
        </Button>
      </div>
    </>
  );
}

function Category({ category }: { category: Needed }) {
  const { name, documents, requirements, riskLevel } = category;
  return (
    <Card as="li" className={styles.stack}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{name}</h2>
        {(riskLevel === "high" || riskLevel === "extreme") && <Badge tone="lamp">High Risk</Badge>}
      </div>
      {documents.length === 0 ? (
        <p className={styles.soft}>No documents needed.</p>
      ) : (
        <ul className={styles.papers}>
          {documents.map(({ type, title, state }) => (
            <li key={type} className={styles.paper}>
              <span>{title}</span>
              <Badge tone={DOCUMENT_STATES[state].tone}>{DOCUMENT_STATES[state].words}</Badge>
            </li>
          ))}
        </ul>
      )}
      {requirements.notes && <p className={styles.note}>{requirements.notes}</p>}
    </Card>
  );
}

function Loading() {
  return (
    <div className={styles.stack} aria-busy="true">
      {[1, 2].map((n) => (
        <Skeleton key={n} height="9rem" radius="md" />
      ))}
    </div>
  );
}
