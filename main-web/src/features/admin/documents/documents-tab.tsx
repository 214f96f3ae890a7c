import { FileCheck2, RotateCw } from "lucide-react";
import { Navigate } from "react-router-dom";
import { paths } from "../../../app/paths";
import { Button } from "../../../ui/button";
import { EmptyState } from "../../../ui/state";
import { DocumentCard } from "./document-card";
import styles from "./documents-tab.module.css";
import { usePending } from "./get-pending";
import { ApiError } from "@porchlight/shared/client";

/** SPEC 2.12: the queue of documents that wait for review. */
export function DocumentsTab() {
  const pending = usePending();
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
          {pending.data.map((paper) => (
            <DocumentCard key={paper.id} paper={paper} />
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
