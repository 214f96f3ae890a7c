import { ArrowRight, CircleCheck, Eye, Inbox, Newspaper, Users, type LucideIcon } from "lucide-react";
import { Link } from "react-router-dom";
import { paths, type Path } from "../../app/paths";
import { safeHref } from "../../kit/safe-href";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import { StatusBadge, useConsole } from "./console-layout";
import styles from "./console.module.css";
import { useOverview } from "./get-overview";
import type { MySite, OverviewData } from "./types";
import { counted, spoken } from "./words";

/** The console's first page: where the site is, how it is doing, and what to do next. */
export function OverviewPage() {
  const guru = useConsole();
  const overview = useOverview();
  return (
    <Page title="My site" description="How your site is doing.">
      <header>
        <h1 className={styles.title}>{overview.data?.character ?? "My site"}</h1>
        <p className={styles.lead}>Your site, and what needs you.</p>
      </header>
      <Address guru={guru} />
      {overview.isPending && (
        <div className={styles.numbers} aria-busy="true">
          {[1, 2, 3, 4].map((card) => (
            <Skeleton key={card} height="7rem" radius="md" />
          ))}
        </div>
      )}
      {overview.isError && !overview.data && (
        <ErrorState
          title="Your numbers are out of reach"
          message={overview.error.message}
          onRetry={() => void overview.refetch()}
          retrying={overview.isFetching}
        />
      )}
      {overview.data && (
        <>
          <Numbers data={overview.data} />
          <NextSteps data={overview.data} />
        </>
      )}
    </Page>
  );
}

function Address({ guru }: { guru: MySite }) {
  return (
    <Card as="section" aria-labelledby="site-address" className={styles.address}>
      <div className={styles.words}>
        <h2 id="site-address" className={styles.small}>
          Site address
        </h2>
        <p className={styles.host}>{spoken(guru.address)}</p>
        <StatusBadge status={guru.status} />
      </div>
      <div className={styles.buttons}>
        {guru.status === "active" && (
          <Button asChild>
            <a href={safeHref(guru.address)} target="_blank" rel="noopener">
              Open site
              <span className="visually-hidden">(opens in a new tab)</span>
            </a>
          </Button>
        )}
        <Button asChild variant="secondary">
          <Link to={paths.onboardingReview}>{guru.status === "unpublished" ? "Publish" : "Address and publishing"}</Link>
        </Button>
      </div>
    </Card>
  );
}

function Numbers({ data }: { data: OverviewData }) {
  const { stats, posts, site } = data;
  const waiting = [posts.draft && counted(posts.draft, "draft"), posts.scheduled && `${posts.scheduled} scheduled`];
  const numbers: { icon: LucideIcon; value: string; label: string; more: string; to?: Path }[] = [
    { icon: Newspaper, value: shown(stats.totalPosts), label: "Posts", more: waiting.filter(Boolean).join(", "), to: paths.guruPosts },
    { icon: Eye, value: shown(stats.totalViews), label: "Views", more: "of all posts" },
    { icon: Users, value: shown(stats.monthlyVisitors), label: "Monthly visitors", more: "last 30 days" },
    { icon: Inbox, value: shown(site.newLeads), label: "New leads", more: `${shown(stats.totalLeads)} in all`, to: paths.guruLeads },
  ];
  return (
    <ul className={styles.numbers} aria-label="Numbers">
      {numbers.map(({ icon: Icon, value, label, more, to }) => (
        <Card as="li" key={label} interactive={to !== undefined} className={styles.number}>
          <Icon size={20} aria-hidden="true" />
          <p className={styles.value}>{value}</p>
          <p className={styles.label}>
            {to ? (
              <Link to={to} className={styles.cover}>
                {label}
              </Link>
            ) : (
              label
            )}
          </p>
          <p className={styles.more}>{more || " "}</p>
        </Card>
      ))}
    </ul>
  );
}

const shown = (count: number) => count.toLocaleString("en-US");

type Step = { done: boolean; title: string; text: string; to: Path };

function NextSteps({ data }: { data: OverviewData }) {
  const { ready, posts, site } = data;
  const steps: Step[] = [
    { done: site.newLeads === 0, title: `Answer ${counted(site.newLeads, "new lead")}`, text: "Most people book whoever writes back first.", to: paths.guruLeads },
    { done: ready.posts || posts.scheduled > 0, title: "Write your first post", text: "A post is how neighbors and search engines find you.", to: paths.guruPosts },
    { done: ready.about, title: "Tell your story", text: "An About page makes a stranger a neighbor.", to: paths.guruSite },
    { done: ready.tagline && ready.skills, title: "Say what you do", text: "A tagline and your skills open your home page.", to: paths.guruSite },
    { done: ready.services, title: "Add a service", text: "What you offer, what it costs and how long it takes.", to: paths.guruServices },
    { done: ready.contactEmail, title: "Set your contact email", text: "Leads are mailed there, and answers come back to it.", to: paths.guruSite },
    { done: ready.seo, title: "Write your search preview", text: "The title and sentence that search engines show.", to: paths.guruSite },
  ];
  const open = steps.filter((step) => !step.done);
  return (
    <section aria-labelledby="next-steps" className={styles.section}>
      <h2 id="next-steps" className={styles.heading}>
        What to do next
      </h2>
      {open.length === 0 ? (
        <p className={styles.done}>
          <CircleCheck size={18} aria-hidden="true" />
          All set. A new post every week or two keeps a site alive.
        </p>
      ) : (
        <ul className={styles.steps}>
          {open.slice(0, 4).map(({ title, text, to }) => (
            <Card as="li" interactive key={title} className={styles.step}>
              <div className={styles.words}>
                <h3 className={styles.name}>
                  <Link to={to} className={styles.cover}>
                    {title}
                  </Link>
                </h3>
                <p className={styles.text}>{text}</p>
              </div>
              <ArrowRight size={18} aria-hidden="true" />
            </Card>
          ))}
        </ul>
      )}
    </section>
  );
}
