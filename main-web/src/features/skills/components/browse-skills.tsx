import { SearchX } from "lucide-react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/state";
import styles from "./browse-skills.module.css";
import { CategoryCard } from "./category-card";
import { ComingSoonBanner } from "./coming-soon-banner";
import type { SkillCategory } from "../api/get-skills";

type BrowseSkillsProps = {
  categories: readonly SkillCategory[];
  search: string;
  onClear: () => void;
  onBook: (category: SkillCategory) => void;
  onFind: (category: SkillCategory) => void;
};

export function BrowseSkills({ categories, search, onClear, onBook, onFind }: BrowseSkillsProps) {
  return (
    <>
      {categories.length === 0 ? (
        <NothingFound search={search} onClear={onClear} />
      ) : (
        <ul className={styles.grid}>
          {categories.map((category) => (
            <CategoryCard
              key={category.slug}
              category={category}
              search={search}
              onBook={() => onBook(category)}
              onFind={() => onFind(category)}
            />
          ))}
        </ul>
      )}
      <ComingSoonBanner />
    </>
  );
}

export function NothingFound({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No skills match your search"
      action={
        <Button variant="secondary" size="sm" onClick={onClear}>
          Clear search
        </Button>
      }
    >
      We don't have “{search.trim()}” yet. Try another word, or pick a suggestion as you type.
    </EmptyState>
  );
}
