import { useIsFetching } from "@tanstack/react-query";
import { GraduationCap, HandHelping, UserRound, type LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths, type Path } from "@/config/paths";
import { requestedAction, type RequestedAction } from "@/lib/requested-action";
import { useProfile } from "@/lib/session/get-profile";
import { useSession } from "@/lib/session/session-context";
import { PorchLightCard } from "@/features/porch-lights/contract";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/layout/page-head";
import { BlockLink } from "@/components/ui/block-link";
import { VerifyEmail } from "./verify-email";
import styles from "./dashboard-home.module.css";

const QUICK_LINKS: { to: Path; icon: LucideIcon; title: string; text: string }[] = [
  { to: paths.skills, icon: GraduationCap, title: "Learn something", text: "Browse skills and find a teacher nearby." },
  { to: paths.angelsList, icon: HandHelping, title: "Get help", text: "Handyman work, moving, cleaning and pet care." },
  { to: paths.profile, icon: UserRound, title: "Your profile", text: "See and edit what neighbors see." },
];

export type DashboardProps = {
  /** The cards of the features; one without content renders nothing. */
  cards: readonly ComponentType[];
  /** Shows what the user came for. */
  requestCard: ComponentType<{ request: RequestedAction }>;
};

/** The dashboard: a greeting, the requested action, tasks and links. */
export function DashboardHome({ cards, requestCard: RequestCard }: DashboardProps) {
  const session = useSession();
  const profile = useProfile().data;
  const location = useLocation();
  const request = requestedAction(location);
  // Only with every answer it is sure that nothing needs attention.
  const isLoading = useIsFetching({ predicate: ({ state }) => state.status === "pending" }) > 0;
  if (session.status !== "signed-in") return null;
  const { user } = session;
  const firstName = profile?.firstName || (profile?.displayName || user.displayName).trim().split(/\s+/)[0];

  return (
    <PageHead title="Dashboard" description="Your Porchlight dashboard.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>{firstName ? `Good to see you, ${firstName}` : "Good to see you"}</h1>
          <p className={styles.lead}>Here's what's happening.</p>
        </header>

        {request && <RequestCard key={location.key} request={request} />}

        <PorchLightCard />

        <section aria-labelledby="attention" aria-busy={isLoading} className={styles.attention}>
          <h2 id="attention" className={styles.section}>
            Needs your attention
          </h2>
          {!user.emailVerified && <VerifyEmail user={user} />}
          {cards.map((DashboardCard, index) => (
            <DashboardCard key={index} />
          ))}
          <p className={styles.quiet}>{isLoading ? "Loading…" : "Nothing right now. You're all caught up."}</p>
        </section>

        <section aria-labelledby="quick-links">
          <h2 id="quick-links" className={styles.section}>
            Explore
          </h2>
          <ul className={styles.links}>
            {QUICK_LINKS.map(({ to, icon: Icon, title, text }) => (
              <Card as="li" interactive key={to}>
                <Icon size={22} aria-hidden="true" className={styles.icon} />
                <h3 className={styles.name}>
                  <BlockLink>
                    <Link to={to}>{title}</Link>
                  </BlockLink>
                </h3>
                <p className={styles.text}>{text}</p>
              </Card>
            ))}
          </ul>
        </section>
      </div>
    </PageHead>
  );
}
