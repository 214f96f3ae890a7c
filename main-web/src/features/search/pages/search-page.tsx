import { List, Map as MapIcon, Search, SearchX, Telescope } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { cx } from "@/lib/cx";
import { useFlag } from "@/lib/feature-flags";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { HeroHeader } from "@/components/layout/hero-header";
import { PageHead } from "@/components/layout/page-head";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { PAGE_HEADS } from "../page-heads";
import { MIN_SEARCH_LENGTH, useSearch } from "../api/get-search";
import { NO_FILTERS, type SearchQuery } from "../lib/types";
import { SavedSearches } from "../components/saved-searches";
import { SearchFilters } from "../components/search-filters";
import { ResultsLoading } from "../components/results-loading";
import styles from "./search-page.module.css";

// Rows with the tables of time zones are a tenth of the page's script; it opens without a search.
const loadResults = () => import("../components/results");
const Results = lazy(async () => ({ default: (await loadResults()).Results }));

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
  const [showsMap, setShowsMap] = useState(false);
  // The search refuses a choice that it does not know.
  const query = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ""])) as SearchQuery;
  const results = useSearch(query, params.get("cursor") ?? "");
  const hasQuery = query.q.trim().length >= MIN_SEARCH_LENGTH;

  // Together with the answer, not after it.
  useEffect(() => {
    if (hasQuery) void loadResults().catch(() => undefined);
  }, [hasQuery]);

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
  const clearFilters = () =>
    setParams(
      (current) => {
        for (const name of [...Object.keys(NO_FILTERS), "cursor"]) current.delete(name);
        return current;
      },
      { preventScrollReset: true },
    );

  return (
    <PageHead {...PAGE_HEADS[paths.search]}>
      <div className={styles.top}>
        <div className={`container ${styles.topInner}`}>
          <div>
            <h1 className={styles.title}>Find it nearby</h1>
            <p className={styles.lead}>Search in your own words. Typos are fine.</p>
          </div>
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
        </div>
      </div>
      <div className={`container ${styles.content}`}>
        <div className={styles.tools}>
          <SearchFilters query={query} onChange={change} />
          {hasQuery && Boolean(results.data?.cells.length) && (
            <Button
              variant="secondary"
              size="sm"
              className={cx(styles.mapToggle)}
              aria-pressed={showsMap}
              onClick={() => setShowsMap(!showsMap)}
            >
              {showsMap ? <List size={16} aria-hidden="true" /> : <MapIcon size={16} aria-hidden="true" />}
              <span>Map</span>
            </Button>
          )}
        </div>
        {!hasQuery ? (
          <>
            <EmptyState icon={Telescope} title="What would you like to find?">
              Try “bake my own bread”, “fix a flat on my bike” or “help moving a sofa”.
            </EmptyState>
            <SavedSearches />
          </>
        ) : results.isError ? (
          <ErrorState
            title="Search isn't responding"
            message={results.error.message}
            onRetry={() => void results.refetch()}
            retrying={results.isFetching}
          />
        ) : !results.data ? (
          <ResultsLoading />
        ) : (
          <Suspense fallback={<ResultsLoading />}>
            <Results
              query={query}
              data={results.data}
              showsMap={showsMap}
              onChange={change}
              onClearFilters={clearFilters}
            />
          </Suspense>
        )}
      </div>
    </PageHead>
  );
}
