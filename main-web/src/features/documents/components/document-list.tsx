import { ExternalLink, FileText } from "lucide-react";
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from "@/lib/document-labels";
import { safeHref } from "@/lib/safe-href";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import styles from "./documents.module.css";
import { useDocuments } from "../api/get-documents";
import type { DocumentData } from "../lib/types";
import { formatDate } from "@porchlight/shared/format/dates";

/** The uploaded documents and their status. */
export function DocumentList({ onReplace }: { onReplace: (uploadedDocument: DocumentData) => void }) {
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
          title="We couldn't load your documents"
          message={documents.error.message}
          onRetry={() => void documents.refetch()}
          retrying={documents.isFetching}
        />
      )}
      {documents.data &&
        (documents.data.documents.length === 0 ? (
          <EmptyState icon={FileText} title="No documents yet">
            Documents you upload and their review status appear here.
          </EmptyState>
        ) : (
          <ul className={styles.list}>
            {documents.data.documents.map((uploadedDocument) => (
              <UploadedDocument key={uploadedDocument.id} uploadedDocument={uploadedDocument} onReplace={onReplace} />
            ))}
          </ul>
        ))}
    </section>
  );
}

function UploadedDocument({
  uploadedDocument,
  onReplace,
}: {
  uploadedDocument: DocumentData;
  onReplace: (uploadedDocument: DocumentData) => void;
}) {
  const status = DOCUMENT_STATUS[uploadedDocument.status];
  const name = DOCUMENT_TYPES[uploadedDocument.type];
  const about = [uploadedDocument.provider, uploadedDocument.number].filter(Boolean).join(", ");
  return (
    <Card as="li" className={styles.sent}>
      <div className={styles.head}>
        <h3 className={styles.name}>
          {name}
          {uploadedDocument.category_name && <span className={styles.soft}> ({uploadedDocument.category_name})</span>}
        </h3>
        <Badge tone={status.tone}>{status.label}</Badge>
      </div>
      {about && <p className={styles.soft}>{about}</p>}
      {uploadedDocument.status === "rejected" && (
        <p className={styles.reason}>
          {uploadedDocument.reason ? `Reason: ${uploadedDocument.reason}` : "No reason was given."}
        </p>
      )}
      {uploadedDocument.status === "incomplete" && (
        <p className={styles.reason}>There's no file or link, so we can't review it. Please upload it again.</p>
      )}
      <p className={styles.note}>
        {`Uploaded ${formatDate(uploadedDocument.created_at)}`}
        {uploadedDocument.expires_on &&
          ` · ${uploadedDocument.status === "lapsed" ? "Expired" : "Expires"} ${formatDate(uploadedDocument.expires_on)}`}
      </p>
      <div className={styles.actions}>
        {uploadedDocument.file_url && (
          <Button asChild variant="secondary" size="sm">
            <a href={safeHref(uploadedDocument.file_url)} target="_blank" rel="noreferrer noopener">
              View
              <span className="visually-hidden">{` ${name}`} (opens in a new tab)</span>
              <ExternalLink size={15} aria-hidden="true" />
            </a>
          </Button>
        )}
        {uploadedDocument.status !== "pending" && (
          <Button
            variant={uploadedDocument.status === "approved" ? "ghost" : "secondary"}
            size="sm"
            onClick={() => onReplace(uploadedDocument)}
          >
            {uploadedDocument.status === "approved" ? "Upload a new one" : "Upload again"}
            <span className="visually-hidden">{`: ${name}`}</span>
          </Button>
        )}
      </div>
    </Card>
  );
}
