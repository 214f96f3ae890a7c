import { ExternalLink, FileText } from "lucide-react";
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from "../../kit/document-words";
import { safeHref } from "../../kit/safe-href";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { formatDay } from "../../ui/format-date";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import styles from "./documents.module.css";
import { useDocuments } from "./get-documents";
import type { Paper } from "./own";

/** What was sent in so far, and how each stands. */
export function DocumentList({ onReplace }: { onReplace: (paper: Paper) => void }) {
  const documents = useDocuments();
  return (
    <section className={styles.stack} aria-labelledby="sent-heading">
      <h2 id="sent-heading" className={styles.heading}>
        My documents
      </h2>
      {documents.isPending && (
        <div className={styles.stack} aria-busy="true">
          <Skeleton height="6rem" radius="md" />
          <Skeleton height="6rem" radius="md" />
        </div>
      )}
      {documents.isError && !documents.data && (
        <ErrorState
          title="Your documents are out of reach"
          message={documents.error.message}
          onRetry={() => void documents.refetch()}
          retrying={documents.isFetching}
        />
      )}
      {documents.data &&
        (documents.data.documents.length === 0 ? (
          <EmptyState icon={FileText} title="Nothing sent yet">
            What you send in stands here, with how its review goes.
          </EmptyState>
        ) : (
          <ul className={styles.list}>
            {documents.data.documents.map((paper) => (
              <Sent key={paper.id} paper={paper} onReplace={onReplace} />
            ))}
          </ul>
        ))}
    </section>
  );
}

function Sent({ paper, onReplace }: { paper: Paper; onReplace: (paper: Paper) => void }) {
  const status = DOCUMENT_STATUS[paper.status];
  const name = DOCUMENT_TYPES[paper.type];
  const about = [paper.provider, paper.number].filter(Boolean).join(", ");
  return (
    <Card as="li" className={styles.sent}>
      <div className={styles.head}>
        <h3 className={styles.name}>
          {name}
          {paper.category_name && <span className={styles.soft}> ({paper.category_name})</span>}
        </h3>
        <Badge tone={status.tone}>{status.words}</Badge>
      </div>
      {about && <p className={styles.soft}>{about}</p>}
      {paper.status === "rejected" && (
        <p className={styles.reason}>{paper.reason ? `Reason: ${paper.reason}` : "No reason was given."}</p>
      )}
      <p className={styles.note}>
        {`Sent ${formatDay(paper.created_at)}`}
        {paper.expires_on && ` · ${paper.status === "lapsed" ? "Expired" : "Expires"} ${formatDay(paper.expires_on)}`}
      </p>
      <div className={styles.actions}>
        {paper.file_url && (
          <Button asChild variant="secondary" size="sm">
            <a href={safeHref(paper.file_url)} target="_blank" rel="noreferrer noopener">
              View
              <span className="visually-hidden">{` ${name}`} (opens in a new tab)</span>
              <ExternalLink size={15} aria-hidden="true" />
            </a>
          </Button>
        )}
        {paper.status !== "pending" && (
          <Button variant={paper.status === "approved" ? "ghost" : "secondary"} size="sm" onClick={() => onReplace(paper)}>
            {paper.status === "approved" ? "Send the next one" : "Upload again"}
            <span className="visually-hidden">{`: ${name}`}</span>
          </Button>
        )}
      </div>
    </Card>
  );
}
