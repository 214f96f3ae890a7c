import { Search, SearchX, Telescope } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { HeroHeader } from "@/components/layout/hero-header";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { PAGE_HEADS } from "../page-heads";
import { CellMap } from "../components/cell-map";
import { MIN_SEARCH_LENGTH, useSearch } from "../api/get-search";
import type { SearchQuery } from "../lib/types";
import { useLitHits } from "../lib/use-lit-hits";
import { HitCard } from "../components/hit-card";
import { SavedSearchesBar } from "../components/saved-searches-bar";
import { SearchFilters } from "../components/search-filters";
import { isWithoutPlace, nearText, UnknownPlace } from "../components/unknown-place";
import styles from "./search-page.module.css";

const NAMES = ["q", "kind", "near", "withinMiles", "maxPrice", "format", "language", "day"] as const;

/** One search for users, gurus, posts and help, by words and by meaning; text and filters are in the URL. */
export function SearchPage() {
  return useFlag("skillListing") ? <Finder /> : <SearchOff />;
}

function SearchOff() {
  return (
    <PageHead {...PAGE_HEADS[paths.search]}>
      <HeroHeader title="Find it nearby" lead="Search in your own words. Typos are fine." />
      <div className={`container ${styles.content}`}>
        <EmptyState icon={SearchX} title="Search is turned off right now">
          You can still <Link to={paths.skills}>browse skills</Link> and <Link to={paths.angelsList}>find help</Link>.
        </EmptyState>
      </div>
    </PageHead>
  );
}

function Finder() {
  const [params, setParams] = useSearchParamsState();
  const [text, setText] = useSearchParamsText("q");
  // The search refuses a choice that it does not know.
  const query = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ""])) as SearchQuery;
  const cursor = params.get("cursor") ?? "";
  const results = useSearch(query, cursor);
  const hasQuery = query.q.trim().length >= MIN_SEARCH_LENGTH;

  const hits = results.data?.hits ?? [];
  const answers = hits.filter((hit) => !hit.related);
  const related = hits.filter((hit) => hit.related);
  const isLit = useLitHits(hits);
  const list = (shown: typeof hits) => (
    <ul className={styles.list}>
      {shown.map((hit) => (
        <HitCard key={`${hit.kind}/${hit.id}`} hit={hit} lit={isLit(hit)} />
      ))}
    </ul>
  );

  const change = (name: string, value: string) =>
    setParams(
      (current) => {
        if (value) current.set(name, value);
        else current.delete(name);
        if (name !== "cursor") current.delete("cursor");
        return current;
      },
      { replace: name !== "cursor", preventScrollReset: name !== "cursor" },
    );

  return (
    <PageHead {...PAGE_HEADS[paths.search]}>
      <HeroHeader title="Find it nearby" lead="Search in your own words. Typos are fine.">
        <div className={styles.searchBox} role="search">
          <Search size={20} aria-hidden="true" />
          <Input
            type="search"
            className={styles.searchInput ?? ""}
            aria-label="What are you looking for?"
            placeholder="Someone to teach me guitar"
            maxLength={100}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </HeroHeader>
      <div className={`container ${styles.content}`}>
        <SearchFilters query={query} onChange={change} />
        {!hasQuery ? (
          <EmptyState icon={Telescope} title="What would you like to find?">
            Try “bake my own bread”, “fix a flat on my bike” or “help moving a sofa”.
          </EmptyState>
        ) : results.isError ? (
          <ErrorState
            title="Search isn't responding"
            message={results.error.message}
            onRetry={() => void results.refetch()}
            retrying={results.isFetching}
          />
        ) : !results.data ? (
          <>
            <p className="visually-hidden" role="status">
              Searching...
            </p>
            <Skeletons />
          </>
        ) : (
          <>
            <div className={styles.summaryRow}>
              <p role="status">
                {results.data.total > 0
                  ? `${results.data.total}${results.data.mayHaveMore ? " or more" : ""} found${nearText(query, results.data.place)}`
                  : isWithoutPlace(query, results.data.place)
                    ? "Near where?"
                    : results.data.pending
                      ? "Searching…"
                      : related.length > 0
                        ? "Nothing fits exactly"
                        : "Nothing found"}
                {results.data.pending && results.data.total > 0 && " · searching for more…"}
              </p>
              <SavedSearchesBar query={query} />
            </div>
            <UnknownPlace query={query} match={results.data.place} onChoose={(label) => change("near", label)} />
            {results.data.total === 0 && results.data.pending ? (
              <Skeletons />
            ) : results.data.total === 0 && related.length === 0 ? (
              !isWithoutPlace(query, results.data.place) && (
                <EmptyState icon={SearchX} title="No results yet">
                  Try different words or fewer filters, or we'll email you when someone offers it.
                </EmptyState>
              )
            ) : (
              <>
                <CellMap cells={results.data.cells} />
                {answers.length > 0 && list(answers)}
                {related.length > 0 && (
                  <section className={styles.instead} aria-labelledby="related-hits">
                    <h2 id="related-hits">You might also like</h2>
                    {list(related)}
                  </section>
                )}
                {results.data.next && (
                  <div className={styles.more}>
                    <Button variant="secondary" onClick={() => change("cursor", results.data.next ?? "")}>
                      Next page
                    </Button>
                  </div>
                )}
              </>
            )}
          </>
        )}
      </div>
    </PageHead>
  );
}

function Skeletons() {
  return (
    <div className={styles.list} aria-busy="true">
      {[1, 2, 3].map((n) => (
        <Skeleton key={n} height="7rem" radius="md" />
      ))}
    </div>
  );
}
