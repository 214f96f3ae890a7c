import { ArrowRight, CircleCheck, Eye, Inbox, Newspaper, Users, type LucideIcon } from "lucide-react";
import { Link, useNavigate } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { paths, type Path } from "@/config/paths";
import { safeHref } from "@/lib/safe-href";
import { Requests } from "@/features/bookings/contract";
import { PorchLightCard } from "@/features/porch-lights/contract";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { Hint } from "@/components/ui/hint";
import { PageHeader } from "@/components/ui/page-header";
import { DataList, RowLink, RowName, RowText } from "@/components/ui/data-list";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { SectionTitle } from "@/components/ui/section-card";
import { ShareButton } from "../../components/share-button";
import { SiteStatusBadge, useConsole } from "../../components/console-layout";
import { SessionsSection } from "../components/sessions-section";
import { VisitsSection } from "../components/visits-section";
import { useOverview } from "../api/get-overview";
import type { MyGuru, OverviewData } from "../../lib/types";
import styles from "../overview.module.css";
import { formatNumber, pluralize } from "@porchlight/shared/format/numbers";
import { displayUrl } from "@porchlight/shared/format/urls";

/** The console's first page: what waits for an answer, then address, sessions, statistics and next steps. */
export function OverviewPage() {
  const guru = useConsole();
  const hasBookings = useFlag("booking");
  const overview = useOverview();
  const navigate = useNavigate();
  return (
    <PageHead title="My site" description="See how your site is doing.">
      <PageHeader title={overview.data?.character ?? "My site"} lead="Overview" />
      {hasBookings && <Requests onOpen={(id) => void navigate(`${paths.guruCalendar}?booking=${id}`)} />}
      <Address guru={guru} />
      <PorchLightCard />
      {hasBookings && <SessionsSection />}
      {overview.isPending && (
        <div className={styles.numbers} aria-busy="true">
          {[1, 2, 3, 4].map((card) => (
            <Skeleton key={card} height="7rem" radius="md" />
          ))}
        </div>
      )}
      {overview.isError && !overview.data && (
        <ErrorState
          title="We couldn't load your stats"
          message={overview.error.message}
          onRetry={() => void overview.refetch()}
          retrying={overview.isFetching}
        />
      )}
      {overview.data && (
        <>
          <Numbers data={overview.data} />
          <VisitsSection visits={overview.data.visits} />
          <NextSteps data={overview.data} />
        </>
      )}
    </PageHead>
  );
}

function Address({ guru }: { guru: MyGuru }) {
  return (
    <Card as="section" aria-labelledby="site-address" className={styles.address}>
      <RowText>
        <h2 id="site-address" className={styles.small}>
          Site address
        </h2>
        <p className={styles.host}>{displayUrl(guru.address)}</p>
        <SiteStatusBadge status={guru.status} />
      </RowText>
      <ButtonRow>
        {guru.status === "active" && (
          <Button asChild>
            <a href={safeHref(guru.address)} target="_blank" rel="noopener">
              Open site
              <span className="visually-hidden">(opens in a new tab)</span>
            </a>
          </Button>
        )}
        <ShareButton guru={guru} />
        <Button asChild variant="secondary">
          <Link to={paths.onboardingReview}>
            {guru.status === "unpublished" ? "Publish" : "Address and publishing"}
          </Link>
        </Button>
      </ButtonRow>
    </Card>
  );
}

function Numbers({ data }: { data: OverviewData }) {
  const { stats, posts, site } = data;
  const waiting = [posts.draft && pluralize(posts.draft, "draft"), posts.scheduled && `${posts.scheduled} scheduled`];
  const numbers: { icon: LucideIcon; value: string; label: string; more: string; to?: Path }[] = [
    {
      icon: Newspaper,
      value: formatNumber(stats.totalPosts),
      label: "Posts",
      more: waiting.filter(Boolean).join(", "),
      to: paths.guruPosts,
    },
    { icon: Eye, value: formatNumber(stats.totalViews), label: "Views", more: "across all posts" },
    { icon: Users, value: formatNumber(stats.monthlyVisitors), label: "Monthly visitors", more: "last 30 days" },
    {
      icon: Inbox,
      value: formatNumber(site.newLeads),
      label: "New leads",
      more: `${formatNumber(stats.totalLeads)} total`,
      to: paths.guruLeads,
    },
  ];
  return (
    <ul className={styles.numbers} aria-label="Stats">
      {numbers.map(({ icon: Icon, value, label, more, to }) => (
        <Card as="li" key={label} interactive={to !== undefined} className={styles.number}>
          <Icon size={20} aria-hidden="true" />
          <p className={styles.value}>{value}</p>
          <p className={styles.label}>{to ? <RowLink to={to}>{label}</RowLink> : label}</p>
          <Hint>{more || " "}</Hint>
        </Card>
      ))}
    </ul>
  );
}

type Step = { done: boolean; title: string; text: string; to: Path };

function NextSteps({ data }: { data: OverviewData }) {
  const hasBookings = useFlag("booking");
  const { ready, posts, site } = data;
  const steps: Step[] = [
    {
      done: site.newLeads === 0,
      title: `Reply to ${pluralize(site.newLeads, "new lead")}`,
      text: "Most people book the first person who replies.",
      to: paths.guruLeads,
    },
    {
      done: ready.hours || !hasBookings,
      title: "Check your hours",
      text: "We suggested when neighbors can book you. Save these hours or change them.",
      to: paths.guruHours,
    },
    {
      done: ready.posts || posts.scheduled > 0,
      title: "Write your first post",
      text: "Posts help neighbors and search engines find you.",
      to: paths.guruPosts,
    },
    {
      done: ready.about,
      title: "Tell your story",
      text: "An About page helps neighbors get to know you.",
      to: paths.guruSite,
    },
    {
      done: ready.pictures,
      title: "Add pictures",
      text: "Show yourself, your work and where you meet.",
      to: paths.guruGallery,
    },
    {
      done: ready.tagline && ready.skills,
      title: "Describe what you do",
      text: "Your tagline and skills appear at the top of your home page.",
      to: paths.guruSite,
    },
    {
      done: ready.services,
      title: "Add a service",
      text: "Add what you offer, what it costs and how long it takes.",
      to: paths.guruServices,
    },
    {
      done: ready.contactEmail,
      title: "Set your contact email",
      text: "We'll email leads and replies to this address.",
      to: paths.guruSite,
    },
    {
      done: ready.seo,
      title: "Write your search preview",
      text: "Add the title and description that search engines show.",
      to: paths.guruSite,
    },
  ];
  const open = steps.filter((step) => !step.done);
  return (
    <Stack as="section" aria-labelledby="next-steps">
      <SectionTitle id="next-steps">What to do next</SectionTitle>
      {open.length === 0 ? (
        <p className={styles.done}>
          <CircleCheck size={18} aria-hidden="true" />
          You're all set. Post every week or two to keep your site fresh.
        </p>
      ) : (
        <DataList>
          {open.slice(0, 4).map(({ title, text, to }) => (
            <Card as="li" interactive key={title} className={styles.step}>
              <RowText>
                <RowName as="h3">
                  <RowLink to={to}>{title}</RowLink>
                </RowName>
                <Hint>{text}</Hint>
              </RowText>
              <ArrowRight size={18} aria-hidden="true" />
            </Card>
          ))}
        </DataList>
      )}
    </Stack>
  );
}
