import { ConnectionCard } from "./connection-card";
import { LoadError } from "./load-error";
import { Loading } from "./loading";
import { useConnection } from "../api/get-connection";

/** The connection, or why it cannot be shown (SPEC 8.7). */
export function ConnectionView({ hasDashboardLink = true }: { hasDashboardLink?: boolean }) {
  const connection = useConnection();
  if (connection.data) return <ConnectionCard connection={connection.data} hasDashboardLink={hasDashboardLink} />;
  if (connection.isError) {
    return (
      <LoadError
        title="We couldn't load your Stripe status"
        message="Could not load your Stripe connection status. Please check your network and try again."
        query={connection}
      />
    );
  }
  return <Loading what="your Stripe connection" height="16rem" />;
}
