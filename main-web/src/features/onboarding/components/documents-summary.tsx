import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { DOCUMENT_TYPE_LABELS, UPLOADED_DOCUMENT_STATUS } from "../lib/document-labels";
import type { RequiredDocument, Status } from "../lib/types";
import { SummaryCard } from "./summary-card";
import styles from "./wizard.module.css";

type DocumentsSummaryProps = { docs: readonly Status["docs"][string][]; names: readonly RequiredDocument[] };

/** The uploaded documents with their status. */
export function DocumentsSummary({ docs, names }: DocumentsSummaryProps) {
  return (
    <SummaryCard id="review-documents" title="Documents" to={paths.onboardingDocuments} empty="None uploaded.">
      {docs.length > 0 && (
        <ul className={styles.items}>
          {docs.map(({ id, type, status, category }) => {
            const state = UPLOADED_DOCUMENT_STATUS[status] ?? { label: status, tone: "neutral" as const };
            const of = names.find(({ slug }) => slug === category)?.name ?? category;
            return (
              <li key={id} className={styles.item}>
                <span>
                  {DOCUMENT_TYPE_LABELS[type] ?? type}
                  {of && <span className={styles.soft}>{` for ${of}`}</span>}
                </span>
                <Badge tone={state.tone}>{state.label}</Badge>
              </li>
            );
          })}
        </ul>
      )}
    </SummaryCard>
  );
}
