import type { ReactNode } from "react";
import styles from "./browse-skills.module.css";
import { CategoryCard } from "./category-card";
import { ComingSoonBanner } from "./coming-soon-banner";
import type { SkillCategory } from "../api/get-skills";

type BrowseSkillsProps = {
  categories: readonly SkillCategory[];
  search: string;
  /** What to show if no category matches. */
  nothingFound: ReactNode;
  onBook: (category: SkillCategory) => void;
  onFind: (category: SkillCategory) => void;
};

export function BrowseSkills({ categories, search, nothingFound, onBook, onFind }: BrowseSkillsProps) {
  return (
    <>
      {categories.length === 0 ? (
        nothingFound
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
