import {
  CalendarDays,
  Clock,
  ExternalLink,
  Globe,
  Images,
  Inbox,
  LayoutDashboard,
  Lightbulb,
  MessageCircle,
  Newspaper,
  Palette,
  Star,
  Tags,
  UsersRound,
  Wallet,
} from "lucide-react";
import { Link, matchPath, Outlet, useLocation, useOutletContext } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { paths } from "@/config/paths";
import { safeHref } from "@/lib/safe-href";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { Workspace, type Section } from "@/components/layout/workspace";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { PageLead, PageTitle, PendingPageTitle } from "@/components/ui/page-header";
import styles from "./console-layout.module.css";
import { SuspendedNotice } from "./suspended-notice";
import { useMyGuru } from "../api/get-my-guru";
import type { MyGuru } from "../lib/types";
import { displayUrl } from "@porchlight/shared/format/urls";

const SECTIONS: Section[] = [
  { to: paths.guru, icon: LayoutDashboard, label: "Overview" },
  { to: paths.guruSite, icon: Palette, label: "Site" },
  { to: paths.guruGallery, icon: Images, label: "Pictures" },
  { to: paths.guruPosts, icon: Newspaper, label: "Posts" },
  { to: paths.guruServices, icon: Tags, label: "Services" },
  { to: paths.guruCalendar, icon: CalendarDays, label: "Calendar" },
  { to: paths.guruClients, icon: UsersRound, label: "Clients" },
  { to: paths.guruReviews, icon: Star, label: "Reviews" },
  { to: paths.guruHours, icon: Clock, label: "Hours" },
  { to: paths.guruMoney, icon: Wallet, label: "Money" },
  { to: paths.guruDomains, icon: Globe, label: "Domains" },
  { to: paths.guruMessages, icon: MessageCircle, label: "Messages" },
  { to: paths.guruLeads, icon: Inbox, label: "Leads" },
];

/** Sections and pages that need the flag `booking`. */
const BOOKING_PAGES = [
  paths.guruCalendar,
  paths.guruClients,
  paths.guruClient,
  paths.guruHours,
  paths.guruServiceBooking,
  paths.guruPackages,
];

/** Return the site of the current console. */
export function useConsole(): MyGuru {
  return useOutletContext<MyGuru>();
}

/** The layout of a guru's console: site address and sections, or an invitation for users without a site. */
export function ConsoleLayout() {
  const myGuru = useMyGuru();
  if (myGuru.isPending) {
    return (
      <PageHead title="My site" description="Manage your guru site.">
        <div className={`container ${styles.page}`} aria-busy="true">
          <PendingPageTitle>My site</PendingPageTitle>
          <Skeleton height="2.75rem" radius="md" />
          <Skeleton height="16rem" radius="md" />
        </div>
      </PageHead>
    );
  }
  if (myGuru.isError) {
    return (
      <PageHead title="My site" description="Manage your guru site.">
        <div className={`container ${styles.page}`}>
          <PageTitle>My site</PageTitle>
          <ErrorState
            title="We couldn't load your site"
            message={myGuru.error.message}
            onRetry={() => void myGuru.refetch()}
            retrying={myGuru.isFetching}
          />
        </div>
      </PageHead>
    );
  }
  return myGuru.data ? <Console guru={myGuru.data} /> : <Invitation />;
}

function Console({ guru }: { guru: MyGuru }) {
  const hasBookings = useFlag("booking");
  const hasMessages = useFlag("messaging");
  const hasReviews = useFlag("reviews");
  const { pathname } = useLocation();
  const needsBookings = (path: string) => BOOKING_PAGES.some((page) => matchPath(page, path) !== null);
  const isOn = ({ to }: Section) =>
    (hasBookings || !needsBookings(to)) &&
    (hasMessages || to !== paths.guruMessages) &&
    (hasReviews || to !== paths.guruReviews);
  const sections = SECTIONS.filter(isOn).map((section) =>
    section.to === paths.guruLeads ? { ...section, count: { value: guru.newLeads, of: "new" } } : section,
  );
  return (
    <Workspace label="My site" sections={sections} head={<SiteAddress guru={guru} />}>
      {guru.status === "suspended" && <SuspendedNotice reason={guru.suspension?.reason ?? ""} />}
      {guru.status === "unpublished" && (
        <Notice tone="warning">
          Your site isn't published, so only you can see it. <Link to={paths.onboardingReview}>Publish it</Link> when
          you're ready.
        </Notice>
      )}
      {!hasReviews && pathname === paths.guruReviews ? (
        <ReviewsOff />
      ) : hasBookings || !needsBookings(pathname) ? (
        <Outlet context={guru} />
      ) : (
        <BookingsOff />
      )}
    </Workspace>
  );
}

/** The placeholder of calendar, hours and booking settings while bookings are off. */
function BookingsOff() {
  return (
    <PageHead title="My site" description="Your sessions with neighbors.">
      <PageTitle>Sessions Coming Soon</PageTitle>
      <EmptyState
        icon={CalendarDays}
        title="Sessions are turned off right now"
        action={
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.guru}>Back to overview</Link>
          </Button>
        }
      >
        Your hours and booking settings are kept. Neighbors can message you from your site.
      </EmptyState>
    </PageHead>
  );
}

/** The placeholder of reviews while they are off. */
function ReviewsOff() {
  return (
    <PageHead title="My site" description="Reviews of your sessions.">
      <PageTitle>Reviews Coming Soon</PageTitle>
      <EmptyState
        icon={Star}
        title="Reviews are turned off right now"
        action={
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.guru}>Back to overview</Link>
          </Button>
        }
      >
        What neighbors wrote is kept.
      </EmptyState>
    </PageHead>
  );
}

function SiteAddress({ guru }: { guru: MyGuru }) {
  return (
    <p className={styles.whose}>
      <a href={safeHref(guru.address)} target="_blank" rel="noopener" className="tap-link">
        {displayUrl(guru.address)}
        <ExternalLink size={15} aria-hidden="true" />
        <span className="visually-hidden">(opens in a new tab)</span>
      </a>
      <SiteStatusBadge status={guru.status} />
    </p>
  );
}

export function SiteStatusBadge({ status }: { status: MyGuru["status"] }) {
  if (status === "active") return <Badge tone="good">Live</Badge>;
  return status === "suspended" ? <Badge tone="danger">Suspended</Badge> : <Badge tone="warning">Not published</Badge>;
}

function Invitation() {
  return (
    <PageHead title="My site" description="Get your own site on Porchlight.">
      <div className={`container ${styles.page}`}>
        <section className={styles.invitation}>
          <span className={styles.invitationIcon}>
            <Lightbulb size={28} aria-hidden="true" />
          </span>
          <PageTitle>Get your own site</PageTitle>
          <PageLead>
            Teach what you know. Gurus get a site with their own web address, a blog, a list of services and an inbox
            for messages from neighbors.
          </PageLead>
          <div className={styles.invitationButtons}>
            <Button asChild size="lg">
              <Link to={paths.onboarding}>Become a Guru</Link>
            </Button>
            <Button asChild size="lg" variant="ghost">
              <Link to={paths.howItWorks}>How it works</Link>
            </Button>
          </div>
        </section>
      </div>
    </PageHead>
  );
}
