import { Bot, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CategoryIcon } from "@/components/ui/category-icon";
import { isRisky } from "../lib/labels";
import type { SessionTemplate, SkillCategory } from "../api/get-skills";
import styles from "./session-templates-tab.module.css";
import { TemplateFacts } from "./template-list";

type SessionTemplatesTabProps = {
  categories: readonly SkillCategory[];
  /** What to show if no template matches. */
  nothingFound: ReactNode;
  onBook: (category: SkillCategory, template: SessionTemplate) => void;
};

/** Session templates of the popular categories, grouped by category. */
export function SessionTemplatesTab({ categories, nothingFound, onBook }: SessionTemplatesTabProps) {
  const withTemplates = categories.filter((category) => category.sessionTemplates.length > 0);
  if (withTemplates.length === 0) return nothingFound;
  return (
    <div className={styles.groups}>
      {withTemplates.map((category) => (
        <section key={category.slug} aria-labelledby={`templates-${category.slug}`}>
          <header className={styles.header}>
            <CategoryIcon name={category.icon} size={20} />
            <h2 id={`templates-${category.slug}`} className={styles.title}>
              {category.name}
            </h2>
            {isRisky(category) && <Badge tone="danger">High Risk</Badge>}
            {category.requiresWaiver && (
              <span className={styles.waiver}>
                <TriangleAlert size={15} aria-hidden="true" />
                Waiver Required
              </span>
            )}
          </header>
          <ul className={styles.cards}>
            {category.sessionTemplates.map((template) => (
              <Card as="li" key={template.name} className={styles.card}>
                <h3 className={styles.name} id={templateId(category, template)}>
                  {template.name}
                </h3>
                <TemplateFacts template={template} />
                <div className={styles.foot}>
                  <Button
                    size="sm"
                    variant="secondary"
                    onClick={() => onBook(category, template)}
                    aria-describedby={templateId(category, template)}
                  >
                    Book Session
                  </Button>
                  {template.aiCoach && (
                    <Badge tone="info">
                      <Bot size={12} aria-hidden="true" />
                      AI Coach
                    </Badge>
                  )}
                </div>
              </Card>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Return an id without spaces, because aria-labelledby would split it. */
function templateId(category: SkillCategory, template: SessionTemplate): string {
  return `template-${category.slug}-${category.sessionTemplates.indexOf(template)}`;
}
