import type { UseQueryResult } from "@tanstack/react-query";
import { ErrorState } from "@/components/ui/state";
import { ApiError } from "@porchlight/shared/client";

type LoadErrorProps = {
  title: string;
  /** The words after a failed request; other errors have SPEC's words (SPEC 8.7). */
  message: string;
  query: Pick<UseQueryResult, "error" | "refetch" | "isFetching">;
};

/** A block of the page that didn't load. */
export function LoadError({ title, message, query }: LoadErrorProps) {
  return (
    <ErrorState
      title={title}
      message={
        query.error instanceof ApiError
          ? message
          : "An unexpected error occurred while loading page data. Please refresh."
      }
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}
