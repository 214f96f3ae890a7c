import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useSummary } from "../api/get-summary";
import { booksState } from "../lib/books-state";

/** Whether the books match Stripe. */
export function BooksCard() {
  const summary = useSummary();
  if (summary.data) {
    const { text, isOff, isLate } = booksState(summary.data);
    return (
      <Notice tone={isOff ? "danger" : isLate ? "warning" : summary.data.reconciledAt ? "success" : "info"}>
        <strong>{text}</strong>
        {isLate && <p>The books are compared every hour. Is the worker running?</p>}
        {isOff && <p>Nothing is corrected automatically. The findings say what differs.</p>}
      </Notice>
    );
  }
  if (summary.isError) {
    return (
      <ErrorState
        title="We couldn't load the state of the books"
        message={summary.error.message}
        onRetry={() => void summary.refetch()}
        retrying={summary.isFetching}
      />
    );
  }
  return (
    <div aria-busy="true">
      <Skeleton height="3.5rem" radius="md" />
    </div>
  );
}
