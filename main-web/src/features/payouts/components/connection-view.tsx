import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { ConnectionCard } from "./connection-card";
import { useConnection } from "../api/get-connection";
import { ApiError } from "@porchlight/shared/client";

/** The connection, or why it cannot be shown (SPEC 8.7). */
export function ConnectionView() {
  const connection = useConnection();
  if (connection.data) return <ConnectionCard connection={connection.data} />;
  if (connection.isError) {
    return (
      <ErrorState
        title="We couldn't load your Stripe status"
        message={
          connection.error instanceof ApiError
            ? "Could not load your Stripe connection status. Please check your network and try again."
            : "An unexpected error occurred while loading page data. Please refresh."
        }
        onRetry={() => void connection.refetch()}
        retrying={connection.isFetching}
      />
    );
  }
  return (
    <div aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading your Stripe connection...
      </p>
      <Skeleton height="16rem" radius="md" />
    </div>
  );
}
