import { Bot } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { participantsLabel } from "../lib/labels";
import type { SessionTemplate } from "../api/get-skills";
import styles from "./template-list.module.css";
import { formatDuration } from "@porchlight/shared/format/numbers";

export function TemplateList({ templates }: { templates: readonly SessionTemplate[] }) {
  return (
    <ul className={styles.list}>
      {templates.map((template) => (
        <li key={template.name} className={styles.item}>
          <span className={styles.name}>{template.name}</span>
          {template.aiCoach && (
            <Badge tone="info">
              <Bot size={12} aria-hidden="true" />
              AI Coach
            </Badge>
          )}
          <TemplateFacts template={template} />
        </li>
      ))}
    </ul>
  );
}

/** The facts of a template: "45 min · 1–2 people · Beginner". */
export function TemplateFacts({ template }: { template: SessionTemplate }) {
  return (
    <span className={styles.facts}>
      <span>{formatDuration(template.duration)}</span>
      <span>{participantsLabel(template.participants)}</span>
      <span className={styles.difficulty}>{template.difficulty}</span>
    </span>
  );
}
