import { Search, SearchX, Telescope } from "lucide-react";
import { useAddress } from "../../kit/use-address";
import { useAddressText } from "../../kit/use-address-text";
import { Button } from "../../ui/button";
import { Input } from "../../ui/field";
import { HeroHeader } from "../../ui/hero-header";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import { CellMap } from "./cell-map";
import { SEARCH_FROM, useSearch, type Question } from "./get-search";
import { HitCard } from "./hit-card";
import { SavedBar } from "./saved-bar";
import { SearchFilters } from "./search-filters";
import styles from "./search-page.module.css";

const NAMES = ["q", "kind", "near", "withinMiles", "maxPrice", "format", "language", "day"] as const;

/** Neighbors, gurus, posts and help in one search, by words and by meaning; question and filters live in the address. */
export function SearchPage() {
  const [params, setParams] = useAddress();
  const [typed, setTyped] = useAddressText("q");
  const question = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ""])) as Question;
  const cursor = params.get("cursor") ?? "";
  const found = useSearch(question, cursor);
  const asked = question.q.trim().length >= SEARCH_FROM;

  const change = (name: string, value: string) =>
    setParams(
      (now) => {
        if (value) now.set(name, value);
        else now.delete(name);
        if (name !== "cursor") now.delete("cursor");
        return now;
      },
      { replace: name !== "cursor", preventScrollReset: name !== "cursor" },
    );

  return (
    <Page title="Search" description="Find a neighbor who teaches it, a guru who knows it, or someone who helps with it, near you.">
      <HeroHeader title="Find it nearby" lead="Say it in your own words. Slips of the finger are forgiven.">
        <div className={styles.searchBox} role="search">
          <Search size={20} aria-hidden="true" />
          <Input
            type="search"
            className={styles.searchInput ?? ""}
            aria-label="What are you looking for?"
            placeholder="Someone to teach me guitar"
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      </HeroHeader>
      <div className={`container ${styles.content}`}>
        <SearchFilters question={question} onChange={change} />
        {!asked ? (
          <EmptyState icon={Telescope} title="What would you like to find?">
            Try “bake my own bread”, “fix a flat on my bike” or “help moving a sofa”.
          </EmptyState>
        ) : found.isError ? (
          <ErrorState
            title="The search did not answer"
            message={found.error.message}
            onRetry={() => void found.refetch()}
            retrying={found.isFetching}
          />
        ) : !found.data ? (
          <div className={styles.list} aria-busy="true">
            <p className="visually-hidden" role="status">
              Searching...
            </p>
            {[1, 2, 3].map((n) => (
              <Skeleton key={n} height="7rem" radius="md" />
            ))}
          </div>
        ) : (
          <>
            <div className={styles.summaryRow}>
              <p role="status">
                {found.data.total === 0 ? "Nothing found" : `${found.data.total} found`}
                {found.data.pending && " · reading what you mean…"}
              </p>
              <SavedBar question={question} />
            </div>
            {found.data.total === 0 ? (
              <EmptyState icon={SearchX} title="Nothing fits yet">
                Try other words or fewer filters, or let us mail you when somebody offers it.
              </EmptyState>
            ) : (
              <>
                <CellMap cells={found.data.cells} />
                <ul className={styles.list}>
                  {found.data.hits.map((hit) => (
                    <HitCard key={`${hit.kind}/${hit.id}`} hit={hit} />
                  ))}
                </ul>
                {found.data.next && (
                  <div className={styles.more}>
                    <Button variant="secondary" onClick={() => change("cursor", found.data.next ?? "")}>
                      Next page
                    </Button>
                  </div>
                )}
              </>
            )}
          </>
        )}
      </div>
    </Page>
  );
}
