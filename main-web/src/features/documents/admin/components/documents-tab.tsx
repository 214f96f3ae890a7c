import { FileCheck2, RotateCw } from "lucide-react";
import { Navigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/state";
import { DocumentCard } from "./document-card";
import styles from "./documents-tab.module.css";
import { usePendingDocuments } from "../api/get-pending-documents";
import { ApiError } from "@porchlight/shared/client";

/** The queue of documents waiting for review (SPEC 2.12). */
export function DocumentsTab() {
  const pending = usePendingDocuments();
  if (pending.error instanceof ApiError && pending.error.status === 401) {
    return <Navigate to={paths.adminLogin} replace />;
  }
  return (
    <section className={styles.tab} aria-labelledby="review-heading">
      <div className={styles.head}>
        <h2 id="review-heading" className={styles.heading}>
          Document Review
        </h2>
        <Button
          variant="secondary"
          size="sm"
          loading={pending.isFetching && !pending.isPending}
          onClick={() => void pending.refetch()}
        >
          <RotateCw size={15} aria-hidden="true" />
          Refresh Pending Documents
        </Button>
      </div>
      {pending.isPending && <p role="status">Loading documents...</p>}
      {pending.data?.length === 0 && <EmptyState icon={FileCheck2} title="No pending documents for review" />}
      {pending.data && pending.data.length > 0 && (
        <div className={styles.list}>
          {pending.data.map((adminDocument) => (
            <DocumentCard key={adminDocument.id} adminDocument={adminDocument} />
          ))}
        </div>
      )}
      {pending.hasNextPage && (
        <div>
          <Button variant="secondary" loading={pending.isFetchingNextPage} onClick={() => void pending.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </section>
  );
}
