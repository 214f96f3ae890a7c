import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ListRows, ListRowSkeletons } from "@/components/ui/list-row";
import { Skeleton } from "@/components/ui/skeleton";
import type { SearchData, SearchHit, SearchQuery } from "../lib/types";
import { useLitHits } from "../lib/use-lit-hits";
import { CellMap } from "./cell-map";
import { HitRow, hitRowId } from "./hit-row";
import { NextSteps } from "./next-steps";
import { Columns } from "./results-loading";
import styles from "./results.module.css";
import { SavedSearches, SaveSearchButton } from "./saved-searches";
import { isWithoutPlace, nearText, UnknownPlace } from "./unknown-place";

type ResultsProps = {
  query: SearchQuery;
  data: SearchData;
  /** Whether a narrow screen shows the map. */
  showsMap: boolean;
  onChange: (name: string, value: string) => void;
  onClearFilters: () => void;
};

/** The rows and the map of what was found, or what to do next without an answer. */
export function Results({ query, data, showsMap, onChange, onClearFilters }: ResultsProps) {
  const [looked, setLooked] = useState<readonly number[]>([]);
  const isLit = useLitHits(data.hits);
  const answers = data.hits.filter((hit) => !hit.related);
  const related = data.hits.filter((hit) => hit.related);
  const isWaiting = data.total === 0 && data.pending;
  const lacksPlace = isWithoutPlace(query, data.place);
  const status = statusText(query, data, related.length);

  const row = (hit: SearchHit, level: "h2" | "h3") => (
    <HitRow
      key={`${hit.kind}/${hit.id}`}
      hit={hit}
      lit={isLit(hit)}
      active={hit.cell !== null && looked.includes(hit.cell)}
      onLook={setLooked}
      level={level}
    />
  );
  const pick = (cells: readonly number[]) => {
    const first = data.hits.find(({ cell }) => cell !== null && cells.includes(cell));
    const shown = first && document.getElementById(hitRowId(first));
    shown?.scrollIntoView({ block: "nearest" });
    shown?.querySelector("a")?.focus({ preventScroll: true });
  };

  return (
    <div className={styles.results}>
      <div className={styles.summary}>
        <p role="status">
          <span key={status}>{status}</span>
        </p>
        {(data.total > 0 || related.length > 0) && <SaveSearchButton query={query} label="Email me new results" />}
      </div>
      <UnknownPlace query={query} match={data.place} onChoose={(label) => onChange("near", label)} />
      {isWaiting ? (
        <Columns map={<Skeleton height="100%" radius="md" />} showsMap={showsMap}>
          <ListRowSkeletons />
        </Columns>
      ) : (
        <Columns
          map={data.cells.length > 0 && <CellMap cells={data.cells} active={looked} onLook={setLooked} onPick={pick} />}
          showsMap={showsMap}
        >
          {answers.length > 0 && <ListRows>{answers.map((hit) => row(hit, "h2"))}</ListRows>}
          {data.total === 0 && !lacksPlace && (
            <NextSteps query={query} category={data.category} onClearFilters={onClearFilters} />
          )}
          {related.length > 0 && (
            <section className={styles.related} aria-labelledby="related-hits">
              <h2 id="related-hits">You might also like</h2>
              <ListRows>{related.map((hit) => row(hit, "h3"))}</ListRows>
            </section>
          )}
          {data.next && (
            <div className={styles.more}>
              <Button variant="secondary" onClick={() => onChange("cursor", data.next ?? "")}>
                Next page
              </Button>
            </div>
          )}
          <SavedSearches />
        </Columns>
      )}
    </div>
  );
}

function statusText(query: SearchQuery, data: SearchData, related: number): string {
  if (data.total > 0) {
    const more = data.mayHaveMore ? " or more" : "";
    const waiting = data.pending ? " · searching for more…" : "";
    return `${data.total}${more} found${nearText(query, data.place)}${waiting}`;
  }
  if (isWithoutPlace(query, data.place)) return "Near where?";
  if (data.pending) return "Searching…";
  return related > 0 ? "Nothing fits exactly" : "Nothing found";
}
