import { CalendarX } from "lucide-react";
import type { ReactNode } from "react";
import { Link, Navigate, useLocation, useParams, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useFlag } from "@/lib/feature-flags";
import type { LoginState } from "@/lib/login-redirect";
import { useSession } from "@/lib/session/session-context";
import { type SessionLookup, useWaitlistSession } from "../api/get-waitlist-session";
import { SessionsOff } from "../components/sessions-off";
import styles from "../components/book-page.module.css";
import { WaitlistDetails } from "../components/waitlist-details";
import { waitlistPath } from "../lib/book-page-url";
import { ApiError } from "@porchlight/shared/client";

/** A full session and its waitlist: by the session's id, or by its guru, service and start for someone who may join. */
export function WaitlistPage() {
  const { id } = useParams();
  const [search] = useSearchParams();
  const session = useSession();
  const location = useLocation();
  const isOn = useFlag("booking");
  const lookup = id === undefined ? wantedStart(search) : { id };
  if (!isOn) return <SessionsOff />;
  if (session.status !== "signed-in") {
    const state: LoginState = {
      from: location.pathname + location.search,
      message: `Please sign in to ${id === undefined ? "join the waitlist" : "see your place on the waitlist"}.`,
    };
    return <Navigate to={paths.login} replace state={state} />;
  }
  if (lookup === null) {
    return <NoSession title="This link is incomplete">Please choose a time on the guru's site again.</NoSession>;
  }
  return <Waitlist lookup={lookup} party={Number(search.get("party") ?? "1")} user={session.user} />;
}

function wantedStart(search: URLSearchParams): SessionLookup | null {
  const [guruLabel, serviceId, startsAt] = ["guru", "service", "start"].map((name) => search.get(name) ?? "");
  return guruLabel && serviceId && startsAt ? { guruLabel, serviceId, startsAt } : null;
}

type WaitlistProps = {
  lookup: SessionLookup;
  party: number;
  user: { email: string; emailVerified: boolean };
};

function Waitlist({ lookup, party, user }: WaitlistProps) {
  const session = useWaitlistSession(lookup);
  if (session.data?.entry && !("id" in lookup)) return <Navigate to={waitlistPath(session.data.id)} replace />;
  if (session.data) {
    const { serviceName, guruName } = session.data;
    return (
      <PageHead title={`Waitlist: ${serviceName}`} description={`The waitlist of ${serviceName} with ${guruName}.`}>
        <div className={`container ${styles.page}`}>
          <WaitlistDetails
            session={session.data}
            party={party}
            user={user}
            error={session.isError ? session.error.message : ""}
          />
        </div>
      </PageHead>
    );
  }
  if (session.error instanceof ApiError && [404, 422].includes(session.error.status)) {
    return <NoSession title="This session isn't offered anymore">It was canceled, or it has started.</NoSession>;
  }
  return (
    <PageHead title="Waitlist" description="The waitlist of a session on Porchlight.">
      <div className={`container ${styles.page}`} aria-busy={session.isPending}>
        <h1 className={session.isPending ? "visually-hidden" : undefined}>Waitlist</h1>
        {session.isPending ? (
          <>
            <p className="visually-hidden" role="status">
              Loading the session...
            </p>
            <Skeleton width="60%" height="3rem" />
            <Skeleton height="16rem" radius="md" />
          </>
        ) : (
          <ErrorState
            title="We couldn't load the waitlist"
            message={session.error.message}
            onRetry={() => void session.refetch()}
            retrying={session.isFetching}
          />
        )}
      </div>
    </PageHead>
  );
}

function NoSession({ title, children }: { title: string; children: ReactNode }) {
  return (
    <PageHead title="Waitlist" description="The waitlist of a session on Porchlight.">
      <div className={`container ${styles.page}`}>
        <h1>Waitlist</h1>
        <EmptyState
          icon={CalendarX}
          title={title}
          action={
            <Button asChild variant="secondary">
              <Link to={paths.sessions}>See my sessions</Link>
            </Button>
          }
        >
          {children}
        </EmptyState>
      </div>
    </PageHead>
  );
}
