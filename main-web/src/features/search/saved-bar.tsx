import { Bell, X } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "../../app/paths";
import { useSession } from "../../kit/session/session-context";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { cents, type Question } from "./get-search";
import { useDropSearch, useSavedSearches, useSaveSearch, type Saved } from "./saved-searches";
import styles from "./search-page.module.css";

/** Keeps the present search, and shows those that are kept. */
export function SavedBar({ question }: { question: Question }) {
  const session = useSession();
  const location = useLocation();
  const signedIn = session.status === "signed-in";
  const saved = useSavedSearches(signedIn);
  const save = useSaveSearch();
  const drop = useDropSearch();
  const failure = save.error ?? drop.error;
  const kept = saved.data?.searches.some((one) => same(one, question)) ?? false;

  return (
    <section className={styles.saved} aria-label="Kept searches">
      {signedIn ? (
        <Button variant="secondary" size="sm" loading={save.isPending} disabled={kept} onClick={() => save.mutate(question)}>
          <Bell size={16} aria-hidden="true" /> {kept ? "You hear of this by mail" : "Mail me what is new"}
        </Button>
      ) : (
        <Button asChild variant="secondary" size="sm">
          <Link
            to={paths.login}
            state={{ from: location.pathname + location.search, message: "Please sign in to keep this search." }}
          >
            <Bell size={16} aria-hidden="true" /> Mail me what is new
          </Link>
        </Button>
      )}
      {failure && <Notice tone="danger">{failure.message}</Notice>}
      {saved.data && saved.data.searches.length > 0 && (
        <ul className={styles.keptList}>
          {saved.data.searches.map((one) => (
            <li key={one.id}>
              <Link to={`${paths.search}?${address(one)}`}>{one.q}</Link>
              <button
                type="button"
                className={styles.drop}
                aria-label={`Stop mails about “${one.q}”`}
                onClick={() => drop.mutate(one.id)}
              >
                <X size={15} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function fields({ q, filters }: Saved): Partial<Question> {
  return {
    q,
    kind: filters.kind ?? "",
    near: filters.near,
    withinMiles: filters.withinMiles ? String(filters.withinMiles) : "",
    maxPrice: typeof filters.maxPriceCents === "number" ? String(filters.maxPriceCents / 100) : "",
    format: filters.format ?? "",
    language: filters.language,
    day: filters.day ?? "",
  };
}

function address(saved: Saved) {
  return new URLSearchParams(Object.entries(fields(saved)).filter(([, value]) => value)).toString();
}

function same(saved: Saved, question: Question) {
  const kept = fields(saved);
  return (Object.keys(question) as (keyof Question)[]).every((name) =>
    name === "maxPrice" ? cents(kept.maxPrice ?? "") === cents(question.maxPrice) : kept[name] === question[name].trim(),
  );
}
