import { CalendarX } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useExchange } from "../api/get-exchange";
import { ExchangeDetails } from "../components/exchange-details";
import { skillName } from "../lib/exchange-texts";
import { ExchangesOff } from "../components/exchanges-off";
import styles from "../components/exchanges.module.css";
import { ApiError } from "@porchlight/shared/client";

/** A session that the signed-in user arranges with a neighbor: its times, and what comes next. */
export function ExchangePage() {
  const { id = "" } = useParams();
  const exchange = useExchange(id);
  const isUnknown = exchange.error instanceof ApiError && exchange.error.status === 404;
  if (!useFlag("booking")) return <ExchangesOff />;
  return (
    <PageHead
      title={exchange.data ? skillName(exchange.data) : "Session"}
      description="A session with a neighbor on Porchlight."
    >
      <div className={`container ${styles.page}`} aria-busy={exchange.isPending}>
        <p>
          <Link to={paths.sessions}>Sessions</Link>
        </p>
        {exchange.isPending && (
          <>
            <h1 className="visually-hidden">Session</h1>
            <p className="visually-hidden" role="status">
              Loading your session...
            </p>
            <Skeleton width="60%" height="3rem" />
            <Skeleton height="16rem" radius="md" />
          </>
        )}
        {exchange.isError && !exchange.data && (
          <>
            <h1 className="visually-hidden">Session</h1>
            {isUnknown ? (
              <EmptyState
                icon={CalendarX}
                title="We can't find this session."
                action={
                  <Button asChild variant="secondary" size="sm">
                    <Link to={paths.sessions}>See your sessions</Link>
                  </Button>
                }
              />
            ) : (
              <ErrorState
                title="We couldn't load your session"
                message={exchange.error.message}
                onRetry={() => void exchange.refetch()}
                retrying={exchange.isFetching}
              />
            )}
          </>
        )}
        {exchange.data && <ExchangeDetails exchange={exchange.data} />}
      </div>
    </PageHead>
  );
}
