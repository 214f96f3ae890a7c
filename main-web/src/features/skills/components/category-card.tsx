import { TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CategoryIcon } from "@/components/ui/category-icon";
import styles from "./category-card.module.css";
import { isRisky, shownKeywords } from "../lib/labels";
import type { SkillCategory } from "../api/get-skills";
import { TemplateList } from "./template-list";

type CategoryCardProps = { category: SkillCategory; search: string; onBook: () => void; onFind: () => void };

/** A category: its skills, a typical session, and booking buttons. */
export function CategoryCard({ category, search, onBook, onFind }: CategoryCardProps) {
  const risky = isRisky(category);
  const title = `category-${category.slug}`;
  return (
    <Card as="li" className={styles.card} aria-labelledby={title}>
      <header className={styles.header}>
        <span className={styles.icon}>
          <CategoryIcon name={category.icon} size={22} />
        </span>
        <h2 id={title} className={styles.name}>
          {category.name}
        </h2>
        {risky && <Badge tone="danger">High Risk</Badge>}
      </header>
      <ul className={styles.keywords} aria-label="Skills">
        {shownKeywords(category, search).map((keyword) => (
          <li key={keyword} className={styles.keyword}>
            {keyword}
          </li>
        ))}
      </ul>
      {category.sessionTemplates.length > 0 && (
        <div className={styles.sessions}>
          <h3 className={styles.subtitle}>Available sessions</h3>
          <TemplateList templates={category.sessionTemplates} />
        </div>
      )}
      <div className={styles.foot}>
        {category.requiresWaiver && (
          <p className={styles.waiver}>
            <TriangleAlert size={16} aria-hidden="true" />
            Waiver Required
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={onBook} aria-describedby={title}>
            Book Session
          </Button>
          <Button variant="secondary" onClick={onFind} aria-describedby={title}>
            Find Teachers
          </Button>
        </div>
      </div>
    </Card>
  );
}
