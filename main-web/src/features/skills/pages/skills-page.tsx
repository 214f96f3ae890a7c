import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useSession } from "@/lib/session/session-context";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { useRequestAction } from "@/lib/use-request-action";
import { HeroHeader } from "@/components/layout/hero-header";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { PAGE_HEADS } from "../page-heads";
import { BrowseSkills } from "../components/browse-skills";
import { useMatches } from "../api/get-matches";
import type { SkillCategory } from "../api/get-skills";
import { LoadFailure } from "../components/load-failure";
import { SkillSearch } from "../components/skill-search";
import { useSkillCategories } from "../lib/use-skill-categories";
import styles from "./skills-page.module.css";

const SessionTemplatesTab = lazy(async () => ({
  default: (await import("../components/session-templates-tab")).SessionTemplatesTab,
}));
const MatchesTab = lazy(async () => ({ default: (await import("../components/matches-tab")).MatchesTab }));

type Tab = "browse" | "sessions" | "ai-coach";
const TABS: readonly Tab[] = ["browse", "sessions", "ai-coach"];

type SkillsPageHeadProps = {
  /** Shows what the whole search finds for a text that matches no skill. */
  searchFallback: ComponentType<{ search: string; onClear: () => void }>;
};

/** SkillShare: skills to learn and teach (SPEC 2.8). Tab and search are in the URL. */
export function SkillsPage({ searchFallback: SkillsSearchFallback }: SkillsPageHeadProps) {
  const [params, setParams] = useSearchParamsState();
  const [search, setSearch] = useSearchParamsText("q");
  const tab = TABS.find((name) => name === params.get("tab")) ?? "browse";
  const session = useSession();
  const userId = session.status === "signed-in" ? session.user.uid : null;
  const { skills, categories, skillCount } = useSkillCategories(search, tab === "sessions");
  const matches = useMatches(userId);
  const askFor = useRequestAction();
  const canListSkills = useFlag("skillListing");
  const matchCount = matches.data?.matches.length;

  const book = ({ name }: SkillCategory, what = `a ${name} session`) =>
    askFor(
      { action: "book-skill-session", category: name, message: `Book ${what}` },
      `Please sign in to book ${what}.`,
    );
  const find = ({ name }: SkillCategory) =>
    askFor(
      { action: "find-teachers", category: name, message: `Find ${name} teachers` },
      `Please sign in to find ${name} teachers.`,
    );

  const typed = search.trim();
  const nothingFound = (
    <Suspense fallback={<Loading />}>
      <SkillsSearchFallback search={search} onClear={() => setSearch("")} />
    </Suspense>
  );

  const list = (content: (categories: readonly SkillCategory[]) => ReactNode) => (
    <div aria-busy={categories === null}>
      {skills.isError && (
        <LoadFailure
          message={skills.error.message}
          onRetry={() => void skills.refetch()}
          retrying={skills.isFetching}
        />
      )}
      {categories === null ? <Loading /> : content(categories)}
    </div>
  );

  return (
    <PageHead {...PAGE_HEADS[paths.skills]}>
      <HeroHeader title="SkillShare" lead="Learn from a neighbor, and teach what you know in return.">
        <SkillSearch value={search} onChange={setSearch} />
        {canListSkills && (
          <p className={styles.everything}>
            <Link to={{ pathname: paths.search, search: typed.length > 1 ? `?q=${encodeURIComponent(typed)}` : "" }}>
              Search neighbors, gurus and help near you
            </Link>
            {userId !== null && <Link to={paths.mySkills}>My skills and listings</Link>}
          </p>
        )}
      </HeroHeader>
      <div className={`container ${styles.content}`}>
        <Tabs
          label="Ways to learn"
          value={tab}
          onValueChange={(value) =>
            setParams(
              (current) => {
                if (value === "browse") current.delete("tab");
                else current.set("tab", value);
                return current;
              },
              { preventScrollReset: true },
            )
          }
          tabs={[
            {
              value: "browse",
              label: `Browse Skills (${skillCount || "All"})`,
              content: list((categories) => (
                <BrowseSkills
                  categories={categories}
                  search={search}
                  nothingFound={nothingFound}
                  onBook={(category) => book(category)}
                  onFind={find}
                />
              )),
            },
            {
              value: "sessions",
              label: "Session Templates",
              content: list((categories) => (
                <Suspense fallback={<Loading />}>
                  <SessionTemplatesTab
                    categories={categories}
                    nothingFound={nothingFound}
                    onBook={(category, template) => book(category, `“${template.name}” (${category.name})`)}
                  />
                </Suspense>
              )),
            },
            {
              value: "ai-coach",
              label: userId !== null && matchCount !== undefined ? `AI Coaching (${matchCount})` : "AI Coaching",
              content: (
                <Suspense fallback={<Loading />}>
                  <MatchesTab userId={userId} matches={matches} />
                </Suspense>
              ),
            },
          ]}
        />
      </div>
    </PageHead>
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <p role="status" className={styles.status}>
        Loading skills...
      </p>
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <Skeleton key={n} height="22rem" radius="md" />
      ))}
    </div>
  );
}
