import { Bell, X } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "@/config/paths";
import { useSession } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { parseMaxPriceCents } from "../lib/parse-max-price";
import { savedSearchAddress, savedSearchFields } from "../lib/saved-search-address";
import { type SearchQuery, type SavedSearch } from "../lib/types";
import { useDeleteSavedSearch } from "../api/delete-saved-search";
import { useSavedSearches } from "../api/get-saved-searches";
import { useCreateSavedSearch } from "../api/create-saved-search";
import styles from "../pages/search-page.module.css";
import { fieldErrors } from "@porchlight/shared/client";

type SaveSearchButtonProps = { query: SearchQuery; label: string };

/** Saves the current search: its new results are emailed. Visitors sign in first, and come back to the search. */
export function SaveSearchButton({ query, label }: SaveSearchButtonProps) {
  const session = useSession();
  const location = useLocation();
  const signedIn = session.status === "signed-in";
  const saved = useSavedSearches(signedIn);
  const save = useCreateSavedSearch();
  const isSaved = saved.data?.searches.some((search) => same(search, query)) ?? false;
  if (!signedIn) {
    return (
      <Button asChild variant="secondary" size="sm">
        <Link
          to={paths.login}
          state={{ from: location.pathname + location.search, message: "Please sign in to save this search." }}
        >
          <Bell size={16} aria-hidden="true" /> <span>{label}</span>
        </Link>
      </Button>
    );
  }
  return (
    <div className={styles.save}>
      <Button
        variant="secondary"
        size="sm"
        loading={save.isPending}
        disabled={isSaved}
        onClick={() => save.mutate(query)}
      >
        <Bell size={16} aria-hidden="true" /> <span key={label}>{isSaved ? "You'll get email alerts" : label}</span>
      </Button>
      {save.error && <Notice tone="danger">{fieldText(save.error) ?? save.error.message}</Notice>}
    </div>
  );
}

/** The saved searches of the signed-in user, nothing without one. */
export function SavedSearches() {
  const session = useSession();
  const saved = useSavedSearches(session.status === "signed-in");
  const remove = useDeleteSavedSearch();
  if (!saved.isError && !saved.data?.searches.length) return null;
  return (
    <section className={styles.saved} aria-label="Saved searches">
      <LoadNotice what="your saved searches" queries={[saved]} />
      {remove.error && <Notice tone="danger">{remove.error.message}</Notice>}
      {saved.data && (
        <>
          <p>We email you what is new for:</p>
          <ul className={styles.keptList}>
            {saved.data.searches.map((search) => (
              <li key={search.id}>
                <Link to={savedSearchAddress(search)}>{savedText(search)}</Link>
                <button
                  type="button"
                  className={styles.drop}
                  aria-label={`Stop alerts for “${search.q}”`}
                  aria-disabled={remove.isPending}
                  onClick={() => remove.isPending || remove.mutate(search.id)}
                >
                  <X size={15} aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function savedText({ q, place, filters }: SavedSearch): string {
  return place && !place.place && filters.withinMiles ? `${q} · no emails: where is “${filters.near}”?` : q;
}

/** Return what is wrong with the place: the notice below shows the choices. */
function fieldText(failure: Error): string | undefined {
  return fieldErrors(failure).near;
}

function same(saved: SavedSearch, query: SearchQuery) {
  const isSaved = savedSearchFields(saved);
  return (Object.keys(query) as (keyof SearchQuery)[]).every((name) =>
    name === "maxPrice"
      ? parseMaxPriceCents(isSaved.maxPrice ?? "") === parseMaxPriceCents(query.maxPrice)
      : isSaved[name] === query[name].trim(),
  );
}
