import { Bell, GraduationCap, HeartHandshake, Megaphone } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { ListRow, ListRows, RowTile } from "@/components/ui/list-row";
import { useSearch } from "../api/get-search";
import { sentenceCase } from "../lib/sentence-case";
import { NO_FILTERS, type SearchData, type SearchQuery } from "../lib/types";
import { HitRow } from "./hit-row";
import styles from "./next-steps.module.css";
import { SaveSearchButton } from "./saved-searches";

/** Characters of a skill's name. */
const MAX_SKILL = 60;
const MAX_NEAREST = 3;

type NextStepsProps = { query: SearchQuery; category: SearchData["category"]; onClearFilters: () => void };

/** What to do when no one offers what is searched: ask for it, wait for it, teach it, or see what is near. */
export function NextSteps({ query, category, onClearFilters }: NextStepsProps) {
  const q = query.q.trim();
  const title = sentenceCase(q);
  const isFiltered = Object.keys(NO_FILTERS).some((name) => query[name as keyof SearchQuery].trim() !== "");
  return (
    <>
      <section className={styles.steps} aria-labelledby="next-steps">
        <h2 id="next-steps" className={styles.title}>
          {isFiltered ? `No “${q}” with these filters` : `No one offers “${q}” yet`}
        </h2>
        {isFiltered && (
          <p>
            <Button variant="secondary" size="sm" onClick={onClearFilters}>
              Clear filters
            </Button>
          </p>
        )}
        <ListRows>
          <ListRow
            face={
              <RowTile>
                <Megaphone size={22} />
              </RowTile>
            }
            heading={<h3>Post what you need</h3>}
            action={
              <Button asChild size="sm">
                <Link to={{ pathname: paths.postNeed, search: new URLSearchParams({ title }).toString() }}>
                  <span>Post a need</span>
                </Link>
              </Button>
            }
          >
            <p>Neighbors nearby see it and send you offers. You pick one.</p>
          </ListRow>
          <ListRow
            face={
              <RowTile>
                <Bell size={22} />
              </RowTile>
            }
            heading={<h3>Wait for it</h3>}
            action={<SaveSearchButton query={query} label="Tell me when someone offers this" />}
          >
            <p>We'll email you as soon as someone does.</p>
          </ListRow>
          <ListRow
            face={
              <RowTile>
                <GraduationCap size={22} />
              </RowTile>
            }
            heading={<h3>Teach it yourself</h3>}
            action={
              <Button asChild variant="secondary" size="sm">
                <Link
                  to={{
                    pathname: paths.mySkills,
                    search: new URLSearchParams({ offer: title.slice(0, MAX_SKILL) }).toString(),
                  }}
                >
                  <span>Add this skill</span>
                </Link>
              </Button>
            }
          >
            <p>You know how? You'd be the first one here.</p>
          </ListRow>
          <ListRow
            face={
              <RowTile>
                <HeartHandshake size={22} />
              </RowTile>
            }
            heading={<h3>Look on Angel's List</h3>}
            action={
              <Button asChild variant="secondary" size="sm">
                <Link to={paths.angelsList}>
                  <span>See all help</span>
                </Link>
              </Button>
            }
          >
            <p>Neighbors who repair, clean, move, mow and run errands.</p>
          </ListRow>
        </ListRows>
      </section>
      {category && <NearestCategory key={category.slug} category={category} />}
    </>
  );
}

/** The category that is nearest to the search, with some of what is in it. */
function NearestCategory({ category }: { category: NonNullable<SearchData["category"]> }) {
  const found = useSearch({ q: category.name, ...NO_FILTERS }, "");
  const hits = found.isPlaceholderData ? [] : (found.data?.hits ?? []).filter((hit) => !hit.related);
  const title = `nearest-${category.slug}`;
  return (
    <section className={styles.steps} aria-labelledby={title} aria-busy={found.isPending}>
      <div className={styles.head}>
        <h2 id={title} className={styles.title}>
          Nearest: {category.name}
        </h2>
        <Link to={{ pathname: paths.skills, search: new URLSearchParams({ q: category.name }).toString() }}>
          <span>See what people learn there</span>
        </Link>
      </div>
      {found.isSuccess && !found.isPlaceholderData && hits.length === 0 && (
        <p className={styles.soft}>No one offers anything there yet.</p>
      )}
      {hits.length > 0 && (
        <ListRows>
          {hits.slice(0, MAX_NEAREST).map((hit) => (
            <HitRow key={`${hit.kind}/${hit.id}`} hit={hit} lit={false} level="h3" />
          ))}
        </ListRows>
      )}
    </section>
  );
}
