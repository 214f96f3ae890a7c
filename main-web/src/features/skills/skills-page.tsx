import { lazy, Suspense, useDeferredValue, useMemo, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { useFlag } from "../../kit/flags";
import { useSession } from "../../kit/session/session-context";
import { useAddress } from "../../kit/use-address";
import { useAddressText } from "../../kit/use-address-text";
import { useAskFor } from "../../kit/use-ask-for";
import { HeroHeader } from "../../ui/hero-header";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { Tabs } from "../../ui/tabs";
import { BrowseSkills } from "./browse-skills";
import { filterCategories } from "./display";
import { useMatches } from "./get-matches";
import { useBundledCategories, useSkills, type SkillCategory } from "./get-skills";
import { LoadFailure } from "./load-failure";
import { SkillSearch } from "./skill-search";
import styles from "./skills-page.module.css";

const SessionTemplates = lazy(async () => ({ default: (await import("./session-templates")).SessionTemplates }));
const CoachingTab = lazy(async () => ({ default: (await import("./coaching-tab")).CoachingTab }));

type Tab = "browse" | "sessions" | "ai-coach";
const TABS: readonly Tab[] = ["browse", "sessions", "ai-coach"];

/** SkillShare: what can be learned and taught (SPEC 2.8). The tab and the search live in the address. */
export function SkillsPage() {
  const [params, setParams] = useAddress();
  const [search, setSearch] = useAddressText("q");
  const tab = TABS.find((name) => name === params.get("tab")) ?? "browse";
  const session = useSession();
  const userId = session.status === "signed-in" ? session.user.uid : null;
  const all = useSkills(false, tab !== "sessions");
  const popular = useSkills(true, tab === "sessions");
  const skills = tab === "sessions" ? popular : all;
  const bundled = useBundledCategories(skills.isError);
  const matches = useMatches(userId, tab === "ai-coach");
  const askFor = useAskFor();
  const listing = useFlag("skillListing");

  const waits = skills.isPending || (skills.isError && bundled.isPending);
  const known = skills.data?.categories ?? bundled.data;
  const found = useMemo(() => (waits ? null : filterCategories(known ?? [], search)), [waits, known, search]);
  // Ten long cards are drawn in slices, so that a slow phone answers in between.
  const categories = useDeferredValue(found, null);
  const loaded = all.data?.skills.length ?? 0;
  const count = loaded > 0 ? loaded : "All";
  const matchCount = matches.data?.matches.length;

  const book = ({ name }: SkillCategory, what = `a ${name} session`) =>
    askFor({
      action: "book-skill-session",
      category: name,
      message: `Book ${what}`,
      signIn: `Please sign in to book ${what}.`,
    });
  const find = ({ name }: SkillCategory) =>
    askFor({
      action: "find-teachers",
      category: name,
      message: `Find ${name} teachers`,
      signIn: `Please sign in to find ${name} teachers.`,
    });

  const list = (content: (categories: readonly SkillCategory[]) => ReactNode) => (
    <div aria-busy={categories === null}>
      {skills.isError && (
        <LoadFailure message={skills.error.message} onRetry={() => void skills.refetch()} retrying={skills.isFetching} />
      )}
      {categories === null ? <Loading /> : content(categories)}
    </div>
  );

  return (
    <Page
      title="SkillShare"
      description="Learn and teach skills with your neighbors: languages, music, cooking, repairs and more, near you."
    >
      <HeroHeader
        title="SkillShare"
        lead="Learn something from the person two streets over, and teach what you know in return."
      >
        <SkillSearch value={search} onChange={setSearch} />
        {listing && (
          <p className={styles.everything}>
            <Link to={search.trim().length > 1 ? `${paths.search}?q=${encodeURIComponent(search.trim())}` : paths.search}>
              {search.trim().length > 1
                ? `Search neighbors, gurus and help for “${search.trim()}”`
                : "Search neighbors, gurus and help near you"}
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
              (now) => {
                if (value === "browse") now.delete("tab");
                else now.set("tab", value);
                return now;
              },
              { preventScrollReset: true },
            )
          }
          tabs={[
            {
              value: "browse",
              label: `Browse Skills (${count})`,
              content: list((categories) => (
                <BrowseSkills
                  categories={categories}
                  search={search}
                  onClear={() => setSearch("")}
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
                  <SessionTemplates
                    categories={categories}
                    search={search}
                    onClear={() => setSearch("")}
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
                  <CoachingTab userId={userId} matches={matches} />
                </Suspense>
              ),
            },
          ]}
        />
      </div>
    </Page>
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <p role="status" className={styles.words}>
        Loading skills...
      </p>
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <Skeleton key={n} height="22rem" radius="md" />
      ))}
    </div>
  );
}
