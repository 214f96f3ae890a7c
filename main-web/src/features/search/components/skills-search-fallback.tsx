import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { Button } from "@/components/ui/button";
import { ListRows, ListRowSkeletons } from "@/components/ui/list-row";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { MIN_SEARCH_LENGTH, useSearch } from "../api/get-search";
import { NO_FILTERS } from "../lib/types";
import { useLitHits } from "../lib/use-lit-hits";
import styles from "../pages/search-page.module.css";
import { HitRow } from "./hit-row";

type SkillsSearchFallbackProps = { search: string; onClear: () => void };

/** What the search finds for a text that no skill category has. Its text is in the URL, as on the search page. */
export function SkillsSearchFallback({ search, onClear }: SkillsSearchFallbackProps) {
  const on = useFlag("skillListing");
  const [params] = useSearchParamsState();
  const typed = search.trim();
  const q = (params.get("q") ?? "").trim();
  const results = useSearch({ q, ...NO_FILTERS }, "");
  const isLit = useLitHits(results.data?.hits ?? []);
  const clear = (
    <Button variant="secondary" size="sm" onClick={onClear}>
      Clear search
    </Button>
  );

  if (!on || typed.length < MIN_SEARCH_LENGTH) return <NotFound typed={typed} action={clear} />;
  if (results.isError && !results.isFetching) {
    return (
      <ErrorState
        title="Search isn't responding"
        message={results.error.message}
        onRetry={() => void results.refetch()}
        retrying={results.isFetching}
      />
    );
  }
  const found = typed === q && !results.isPlaceholderData ? results.data : undefined;
  if (!found || (found.total === 0 && found.pending)) {
    return (
      <div className={styles.instead}>
        <p role="status">Searching…</p>
        <ListRowSkeletons count={3} />
      </div>
    );
  }
  if (found.total === 0) return <NotFound typed={typed} action={clear} />;
  const hits = found.hits.filter((hit) => !hit.related);
  return (
    <section className={styles.instead} aria-label={`Results for “${typed}”`}>
      <div className={styles.summaryRow}>
        <p role="status">No skill by that name yet. Here's what we found nearby:</p>
        {clear}
      </div>
      <ListRows>
        {hits.map((hit) => (
          <HitRow key={`${hit.kind}/${hit.id}`} hit={hit} lit={isLit(hit)} />
        ))}
      </ListRows>
      <p className={styles.more}>
        <Link to={`${paths.search}?q=${encodeURIComponent(typed)}`}>See all results and filters</Link>
      </p>
    </section>
  );
}

function NotFound({ typed, action }: { typed: string; action: ReactNode }) {
  return (
    <EmptyState icon={SearchX} title="No skills match your search" action={action}>
      We don't have “{typed}” yet. Try another word, or pick a suggestion as you type.
    </EmptyState>
  );
}
