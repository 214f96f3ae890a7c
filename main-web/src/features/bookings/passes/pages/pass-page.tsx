import { TicketX, Unlink, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { generatePath, Link, useParams } from "react-router-dom";
import type { UseQueryResult } from "@tanstack/react-query";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { TitleText } from "@/components/ui/title-text";
import { SessionsOff } from "../../components/sessions-off";
import sessions from "../../components/sessions.module.css";
import { useBookedPass, usePass, type NoPass, type ShownPass } from "../api/get-pass";
import { PassCard } from "../components/pass-card";
import styles from "../components/passes.module.css";
import { useKeptPage } from "../lib/use-kept-page";
import { useWakeLock } from "../lib/use-wake-lock";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** The pass of a session of the signed-in user. Once opened, it works without a connection. */
export function PassPage() {
  const { id = "" } = useParams();
  const pass = usePass(id);
  if (!useFlag("booking")) return <SessionsOff />;
  return <PassOf pass={pass} session={generatePath(paths.session, { id })} />;
}

/** The pass of the session that a guru booked for the bearer of a link. */
export function BookedPassPage() {
  const { link = "" } = useParams();
  return <PassOf pass={useBookedPass(link)} session={generatePath(paths.booked, { link })} />;
}

function PassOf({ pass, session }: { pass: UseQueryResult<ShownPass | NoPass>; session: string }) {
  const found = pass.data?.pass ? pass.data : null;
  return (
    <PageHead
      title={found ? `Pass for ${found.pass.serviceName}` : "Your pass"}
      description="Show this pass when you come."
    >
      <div className={`container ${sessions.page} ${sessions.narrow}`} aria-busy={pass.isPending}>
        <p>
          <Link to={session}>Session</Link>
        </p>
        {found ? (
          <Shown {...found} onRetry={() => void pass.refetch()} retrying={pass.isFetching} />
        ) : (
          <>
            <h1 className={sessions.title}>Your pass</h1>
            {pass.isPending && <LoadingBlock height="28rem" />}
            {pass.data?.pass === null && <Missing {...pass.data} session={session} />}
            {pass.isError && (
              <ErrorState
                title="We couldn't load your pass"
                message={pass.error.message}
                onRetry={() => void pass.refetch()}
                retrying={pass.isFetching}
              />
            )}
          </>
        )}
      </div>
    </PageHead>
  );
}

function Missing({ status, message, session }: NoPass & { session: string }) {
  if (status === 404) {
    return (
      <EmptyState icon={Unlink} title="We can't find this session" action={<ToSessions />}>
        Open the pass from your session again.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={TicketX} title="No pass for this session" action={<ToSession to={session} />}>
      {message}
    </EmptyState>
  );
}

type ShownProps = ShownPass & { onRetry: () => void; retrying: boolean };

function Shown({ pass, keptAt, isKept, onRetry, retrying }: ShownProps) {
  useWakeLock();
  const hasPage = useKeptPage(true);
  return (
    <>
      <header className={sessions.heading}>
        <h1 className={sessions.title}>
          <TitleText>{pass.serviceName}</TitleText>
        </h1>
        <p className={sessions.lead}>with {pass.guruName}</p>
      </header>
      {keptAt !== null && (
        <div className={styles.result}>
          <Notice>
            We could not load your pass again, so this is the one from {formatSessionStart(keptAt, "")}. It is good
            unless your session changed since.
          </Notice>
          <div>
            <Button variant="secondary" size="sm" loading={retrying} onClick={onRetry}>
              Try again
            </Button>
          </div>
        </div>
      )}
      <PassCard pass={pass} />
      {(keptAt !== null || (isKept && hasPage)) && (
        <p className={styles.offline}>
          <WifiOff size={18} aria-hidden="true" /> Works without a connection
        </p>
      )}
    </>
  );
}

function ToSession({ to }: { to: string }): ReactNode {
  return (
    <Button asChild variant="secondary" size="sm">
      <Link to={to}>See the session</Link>
    </Button>
  );
}

function ToSessions(): ReactNode {
  return (
    <Button asChild variant="secondary" size="sm">
      <Link to={paths.sessions}>See your sessions</Link>
    </Button>
  );
}
