import { useIsFetching } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { useLocation } from "react-router-dom";
import { Block } from "@/components/dashboard/block";
import { requestedAction, type RequestedAction } from "@/lib/requested-action";
import { useProfile } from "@/lib/session/get-profile";
import { useSession } from "@/lib/session/session-context";
import { PageHead } from "@/components/layout/page-head";
import { NextSession } from "./next-session";
import { VerifyEmail } from "./verify-email";
import styles from "./dashboard-home.module.css";

export type DashboardProps = {
  /** Asks once for the user's skills; nothing after that. */
  question: ComponentType;
  /** What waits for the user. A card without content renders nothing. */
  waiting: readonly ComponentType[];
  /** What is new around the user: needs, matches, searches. Each block says when it has nothing. */
  news: readonly ComponentType[];
  /** What the user runs, and what could be better. A card without content renders nothing. */
  quiet: readonly ComponentType[];
  /** Shows what the user came for. */
  requestCard: ComponentType<{ request: RequestedAction }>;
};

/** The dashboard: the next session, what waits for the user, what is new around them, and the rest. */
export function DashboardHome({ question: Question, waiting, news, quiet, requestCard: RequestCard }: DashboardProps) {
  const session = useSession();
  const profile = useProfile().data;
  const location = useLocation();
  const request = requestedAction(location);
  // Only with every answer it is sure that nothing waits.
  const isLoading = useIsFetching({ predicate: ({ state }) => state.status === "pending" }) > 0;
  if (session.status !== "signed-in") return null;
  const { user } = session;
  const firstName = profile?.firstName || (profile?.displayName || user.displayName).trim().split(/\s+/)[0];

  return (
    <PageHead title="Dashboard" description="Your Porchlight dashboard.">
      <div className={`container ${styles.page}`}>
        <h1 className={styles.title}>{firstName ? `Good to see you, ${firstName}` : "Good to see you"}</h1>
        {request && <RequestCard key={location.key} request={request} />}
        <Question />
        <NextSession />
        <Block title="Waiting for you">
          <div className={styles.cards} aria-busy={isLoading}>
            {!user.emailVerified && <VerifyEmail user={user} />}
            {waiting.map((DashboardCard, index) => (
              <DashboardCard key={index} />
            ))}
            <p className={styles.nothing}>{isLoading ? "Loading…" : "Nothing right now. You're all caught up."}</p>
          </div>
        </Block>
        {news.map((DashboardBlock, index) => (
          <DashboardBlock key={index} />
        ))}
        <div className={styles.cards}>
          {quiet.map((DashboardCard, index) => (
            <DashboardCard key={index} />
          ))}
        </div>
      </div>
    </PageHead>
  );
}
