import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Badge } from "@/components/ui/badge";
import { useListedLimit } from "../lib/listed-limit";
import type { RequiredDocument, Status } from "../lib/types";
import { SummaryCard } from "./summary-card";
import styles from "./wizard.module.css";

type CategoriesSummaryProps = {
  needed: readonly RequiredDocument[] | undefined;
  picks: readonly string[];
  site: Status["site"];
};

/** The chosen categories, and which of them the site lists. */
export function CategoriesSummary({ needed, picks, site }: CategoriesSummaryProps) {
  const limit = useListedLimit()?.limit ?? Infinity;
  const ready = (needed ?? []).filter(({ approved }) => approved).map(({ slug }) => slug);
  // A site keeps the categories that it shows; a new one begins with the first.
  const isOver = (slug: string) =>
    site?.categories.find((category) => category.slug === slug)?.overLimit ?? ready.indexOf(slug) >= limit;
  const showsBadges = useFlag("certifications");
  return (
    <SummaryCard id="review-categories" title="Categories" to={paths.onboardingCategories} empty="Nothing yet.">
      {picks.length > 0 && (
        <ul className={styles.items}>
          {(needed ?? []).map(({ slug, name, approved, documents }) => (
            <li key={slug} className={styles.item}>
              <span>{name}</span>
              {approved && isOver(slug) ? (
                <Badge>More than your plan lists</Badge>
              ) : approved ? (
                <Badge tone="good">{documents.length > 0 && showsBadges ? "Listed, with a badge" : "Listed"}</Badge>
              ) : (
                <Badge tone="warning">Waiting for approval</Badge>
              )}
            </li>
          ))}
        </ul>
      )}
    </SummaryCard>
  );
}
