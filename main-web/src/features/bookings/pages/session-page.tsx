import { CalendarX } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { SessionsOff } from "../components/sessions-off";
import { SessionDetails } from "../components/session-details";
import styles from "../components/sessions.module.css";
import { usePaymentWait } from "../lib/use-payment-wait";
import { ApiError } from "@porchlight/shared/client";

/** One session of the signed-in user: when, where, its terms, and how to change it. */
export function SessionPage() {
  const { id = "" } = useParams();
  const wait = usePaymentWait(id);
  const { booking } = wait;
  const isUnknown = booking.error instanceof ApiError && booking.error.status === 404;
  if (!useFlag("booking")) return <SessionsOff />;
  return (
    <PageHead title={booking.data?.serviceName ?? "Session"} description="Your session on Porchlight.">
      <div className={`container ${styles.page} ${styles.narrow}`} aria-busy={booking.isPending}>
        <p>
          <Link to={paths.sessions}>Sessions</Link>
        </p>
        {booking.isPending && (
          <>
            <h1 className="visually-hidden">Session</h1>
            <p className="visually-hidden" role="status">
              Loading your session...
            </p>
            <Skeleton width="60%" height="3rem" />
            <Skeleton height="16rem" radius="md" />
          </>
        )}
        {isUnknown && !booking.data && (
          <>
            <h1 className="visually-hidden">Session</h1>
            <EmptyState
              icon={CalendarX}
              title="We can't find this session."
              action={
                <Button asChild variant="secondary" size="sm">
                  <Link to={paths.sessions}>See your sessions</Link>
                </Button>
              }
            />
          </>
        )}
        {booking.isError && !isUnknown && !booking.data && (
          <>
            <h1 className="visually-hidden">Session</h1>
            <ErrorState
              title="We couldn't load your session"
              message={booking.error.message}
              onRetry={() => void booking.refetch()}
              retrying={booking.isFetching}
            />
          </>
        )}
        {booking.data && <SessionDetails booking={booking.data} wait={wait} />}
      </div>
    </PageHead>
  );
}
