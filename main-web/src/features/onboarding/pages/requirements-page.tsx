import { ClipboardList } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useRequirements } from "@/features/documents/contract";
import { REQUIRED_DOCUMENT_STATUS } from "../lib/document-labels";
import type { RequiredDocument } from "../lib/types";
import { Wizard } from "../components/wizard";
import styles from "../components/wizard.module.css";

/** Step 3: documents required by the chosen categories (SPEC 2.14). */
export function RequirementsPage() {
  const requirements = useRequirements();
  return (
    <Wizard
      at={paths.onboardingRequirements}
      title="Requirements"
      lead="Documents we need before a category is listed on your site."
      description="Step 3 of becoming a guru: the documents your categories need."
    >
      {requirements.isPending && <Loading />}
      {requirements.isError && !requirements.data && (
        <ErrorState
          title="We couldn't load the requirements"
          message="Failed to load requirements. Please try again later."
          onRetry={() => void requirements.refetch()}
          retrying={requirements.isFetching}
        />
      )}
      {requirements.data && <List needed={requirements.data.needed} />}
    </Wizard>
  );
}

function List({ needed }: { needed: readonly RequiredDocument[] }) {
  if (needed.length === 0) {
    return (
      <EmptyState
        icon={ClipboardList}
        title="No categories yet"
        action={
          <Button asChild size="sm">
            <Link to={paths.onboardingCategories}>Choose what you offer</Link>
          </Button>
        }
      >
        Choose what you offer to see which documents you need.
      </EmptyState>
    );
  }
  const missing = needed.some(({ submitted }) => !submitted);
  const hasDocuments = needed.some(({ documents }) => documents.length > 0);
  return (
    <>
      <ul className={styles.items}>
        {needed.map((category) => (
          <Category key={category.slug} category={category} />
        ))}
      </ul>
      {hasDocuments ? (
        <Notice tone="warning">
          You can publish as soon as you've uploaded your documents. Categories that need documents appear on your site
          once they're approved.
        </Notice>
      ) : (
        <Notice tone="success">No documents needed. Continue to payout.</Notice>
      )}
      <div className={styles.foot}>
        <Button asChild variant={missing ? "primary" : "secondary"}>
          <Link to={paths.onboardingDocuments}>{hasDocuments ? "Upload documents" : "Documents"}</Link>
        </Button>
        <Button asChild variant={missing ? "ghost" : "primary"}>
          <Link to={paths.onboardingPayout}>Continue to payout</Link>
        </Button>
      </div>
    </>
  );
}

function Category({ category }: { category: RequiredDocument }) {
  const { name, documents, requirements, riskLevel } = category;
  return (
    <Card as="li" className={styles.stack}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{name}</h2>
        {(riskLevel === "high" || riskLevel === "extreme") && <Badge tone="warning">High Risk</Badge>}
      </div>
      {documents.length === 0 ? (
        <p className={styles.soft}>No documents needed.</p>
      ) : (
        <ul className={styles.items}>
          {documents.map(({ type, title, state }) => (
            <li key={type} className={styles.item}>
              <span>{title}</span>
              <Badge tone={REQUIRED_DOCUMENT_STATUS[state].tone}>{REQUIRED_DOCUMENT_STATUS[state].label}</Badge>
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
