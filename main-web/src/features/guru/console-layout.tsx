import { ExternalLink, Inbox, LayoutDashboard, Lightbulb, Newspaper, Palette, Tags, type LucideIcon } from "lucide-react";
import { Link, NavLink, Outlet, useOutletContext } from "react-router-dom";
import { paths, type Path } from "../../app/paths";
import { safeHref } from "../../kit/safe-href";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import styles from "./console.module.css";
import { useMyGuru } from "./get-my-guru";
import type { MySite } from "./types";
import { spoken } from "./words";

const ROOMS: { to: Path; icon: LucideIcon; label: string }[] = [
  { to: paths.guru, icon: LayoutDashboard, label: "Overview" },
  { to: paths.guruSite, icon: Palette, label: "Site" },
  { to: paths.guruPosts, icon: Newspaper, label: "Posts" },
  { to: paths.guruServices, icon: Tags, label: "Services" },
  { to: paths.guruLeads, icon: Inbox, label: "Leads" },
];

/** The site of the console a screen stands in. */
export function useConsole(): MySite {
  return useOutletContext<MySite>();
}

/** The frame of a guru's console: whose site it is, its rooms, and an invitation for those who have none. */
export function ConsoleLayout() {
  const mine = useMyGuru();
  if (mine.isPending) {
    return (
      <Page title="My site" description="A guru's console.">
        <div className={`container ${styles.page}`} aria-busy="true">
          <Skeleton width="14rem" height="2.5rem" radius="md" />
          <Skeleton height="2.75rem" radius="md" />
          <Skeleton height="16rem" radius="md" />
        </div>
      </Page>
    );
  }
  if (mine.isError) {
    return (
      <Page title="My site" description="A guru's console.">
        <div className={`container ${styles.page}`}>
          <h1 className={styles.title}>My site</h1>
          <ErrorState
            title="Your site is out of reach"
            message={mine.error.message}
            onRetry={() => void mine.refetch()}
            retrying={mine.isFetching}
          />
        </div>
      </Page>
    );
  }
  return mine.data ? <Console guru={mine.data} /> : <Invitation />;
}

function Console({ guru }: { guru: MySite }) {
  return (
    <div className={`container ${styles.page}`}>
      <div className={styles.bar}>
        <p className={styles.whose}>
          <a href={safeHref(guru.address)} target="_blank" rel="noopener">
            {spoken(guru.address)}
            <ExternalLink size={15} aria-hidden="true" />
            <span className="visually-hidden">(opens in a new tab)</span>
          </a>
          <StatusBadge status={guru.status} />
        </p>
        <nav aria-label="My site" className={styles.rooms}>
          {ROOMS.map(({ to, icon: Icon, label }) => (
            <NavLink key={to} to={to} end={to === paths.guru} className={styles.room}>
              <Icon size={17} aria-hidden="true" />
              {label}
              {to === paths.guruLeads && guru.newLeads > 0 && (
                <span className={styles.count}>
                  {guru.newLeads > 99 ? "99+" : guru.newLeads}
                  <span className="visually-hidden"> new</span>
                </span>
              )}
            </NavLink>
          ))}
        </nav>
      </div>
      {guru.status === "suspended" && (
        <Notice tone="danger">
          Your site has been taken down by our staff, and visitors cannot see it. <Link to={paths.contact}>Write to us</Link> to
          find out what to do. You can go on working here meanwhile.
        </Notice>
      )}
      {guru.status === "unpublished" && (
        <Notice tone="lamp">
          Your site is not published, so nobody else can see it. <Link to={paths.onboardingReview}>Publish it</Link> when you
          are ready.
        </Notice>
      )}
      <Outlet context={guru} />
    </div>
  );
}

export function StatusBadge({ status }: { status: MySite["status"] }) {
  if (status === "active") return <Badge tone="green">Live</Badge>;
  return status === "suspended" ? <Badge tone="danger">Suspended</Badge> : <Badge tone="lamp">Not published</Badge>;
}

function Invitation() {
  return (
    <Page title="My site" description="A site of your own on Porchlight.">
      <div className={`container ${styles.page}`}>
        <section className={styles.invitation}>
          <span className={styles.lamp}>
            <Lightbulb size={28} aria-hidden="true" />
          </span>
          <h1 className={styles.title}>A site of your own</h1>
          <p className={styles.lead}>
            Teach what you know: gurus get a site with their own address, a blog, services with prices, and an inbox for
            neighbors who write.
          </p>
          <div className={styles.buttons}>
            <Button asChild size="lg">
              <Link to={paths.onboarding}>Become a Guru</Link>
            </Button>
            <Button asChild size="lg" variant="ghost">
              <Link to={paths.howItWorks}>How it works</Link>
            </Button>
          </div>
        </section>
      </div>
    </Page>
  );
}
